#include "quarry/files/distinct_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "exec/parallel.hpp"
#include "quarry/library.hpp"
#include "util/checksum.hpp"
#include "util/memory/prefetch.hpp"

namespace quarry {

std::uint64_t DistinctIds::hash_of(std::string_view id) {
  return std::max<std::uint64_t>(checksum_of(std::as_bytes(std::span(id))), 1);
}

std::size_t DistinctIds::Set::slot_of(std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & mask;
  return slot;
}

void DistinctIds::Set::add(std::uint64_t hash) {
  // Three of four slots are taken at most, which kMost fills in a power of two.
  if (4 * (size_ + 1) > 3 * std::ssize(slots_)) {
    const auto old = std::exchange(slots_, std::vector<std::uint64_t>(std::max<std::size_t>(1024, 2 * slots_.size())));
    for (const std::uint64_t other : old)
      if (other != 0) slots_[slot_of(other)] = other;
  }
  std::uint64_t& slot = slots_[slot_of(hash)];
  size_ += slot == 0 ? 1 : 0;
  slot = hash;
}

void DistinctIds::Set::fetch(std::uint64_t hash) const {
  if (!slots_.empty()) prefetch(&slots_[hash & (slots_.size() - 1)]);
}

void DistinctIds::Set::add(const Set& other) {
  for (const std::uint64_t hash : other.slots_)
    if (hash != 0) add(hash);
}

void DistinctIds::enter_file(const std::string& name) {
  file_ = name;
  if (before_.size() == 0)
    before_ = std::exchange(here_, {});
  else
    before_.add(std::exchange(here_, {}));
}

/// Whether a name may be used. Then no other row gets it, as long as names are kept.
bool DistinctIds::claim(std::string_view name) {
  const std::uint64_t hash = hash_of(name);
  if (here_.has(hash) || before_.has(hash)) return false;
  if (here_.size() + before_.size() < most_) here_.add(hash);
  return true;
}

std::optional<std::string> DistinctIds::name_of(std::string_view id, std::uint64_t hash, Index line) {
  const bool is_here = here_.has(hash), is_before = before_.has(hash);
  const bool is_full = here_.size() + before_.size() >= most_;
  if (!is_here && !is_full) here_.add(hash);
  if (!is_here && !is_before) {
    num_left_out_ += is_full ? 1 : 0;
    return std::nullopt;
  }
  ++num_named_;
  // An id that is not kept for this file may come again in it.
  std::string name = fmt::format("{}:{}", file_, id);
  if (!is_here && !is_full && claim(name)) return name;
  name = fmt::format("{}:{}:{}", file_, line, id);
  // A file may be given twice, and an id may look like a name.
  std::string other = name;
  for (int turn = 2; !claim(other); ++turn) other = fmt::format("{}#{}", name, turn);
  return other;
}

/// PERF: a million ids are in no cache; asked for some ids ahead, their memory is there in time
std::vector<NamedMolecule> DistinctIds::names_of(std::span<const std::string_view> ids, std::span<const Index> lines) {
  constexpr std::size_t kAhead = 16;
  std::vector<std::uint64_t> hashes;
  hashes.reserve(ids.size());
  for (const std::string_view id : ids) hashes.push_back(hash_of(id));
  std::vector<NamedMolecule> named;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) {
      here_.fetch(hashes[i + kAhead]);
      before_.fetch(hashes[i + kAhead]);
    }
    if (auto name = name_of(ids[i], hashes[i], lines[i])) named.push_back({static_cast<Index>(i), std::move(*name)});
  }
  return named;
}

namespace {

/// Of consecutive molecules of a library. @param first  number of the first, from 0
std::vector<NamedMolecule> names_in_library(std::span<const std::string_view> texts, Index first, DistinctIds& ids) {
  std::vector<Index> numbers(texts.size());
  std::iota(numbers.begin(), numbers.end(), first + 1);
  std::vector<NamedMolecule> named = ids.names_of(texts, numbers);
  for (NamedMolecule& molecule : named) molecule.molecule += first;
  return named;
}

}  // namespace

std::vector<NamedMolecule> distinct_names(const Library& library, Index chunk, DistinctIds& ids) {
  return names_in_library(library.text(chunk, false).ids, library.first_molecule(chunk), ids);
}

std::vector<NamedMolecule> distinct_names(const Library& library, DistinctIds& ids, int threads) {
  struct Task {
    Index chunk;
    ChunkText text;
  };
  std::vector<Task> tasks(2 * resolve_threads(threads));
  std::vector<NamedMolecule> named;
  Index next = 0;
  run_pipeline(
      resolve_threads(threads), tasks,
      [&](Task& task) {
        task.chunk = next++;
        return task.chunk < library.num_chunks();
      },
      [&](Task& task) { task.text = library.text(task.chunk, false); },
      [&](Task& task) {
        std::ranges::move(names_in_library(task.text.ids, library.first_molecule(task.chunk), ids),
                          std::back_inserter(named));
      });
  return named;
}

}  // namespace quarry
