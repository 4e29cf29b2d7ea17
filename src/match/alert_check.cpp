/// A set of alerts against RDKit's FilterCatalog. RDKit is given each molecule as it reads it from the record.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "chemistry/alerts/catalog.hpp"
#include "exec/parallel.hpp"
#include "quarry/error.hpp"
#include "quarry/match.hpp"
#include "quarry/suggestion.hpp"
#include "util/cast.hpp"

namespace quarry::match {
namespace {

constexpr std::size_t kMaxDifferences = 100;
// Molecules of one piece of parallel work: RDKit takes about a millisecond for each.
constexpr Index kAlertGrain = 8;

Catalog catalog_of(const std::string& set) {
  const CatalogSet* const found = find_catalog_set(set);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const CatalogSet& known : catalog_sets()) names.emplace_back(known.name);
    throw InputError("RDKit has no set of alerts named '" + set + "' to compare with" + suggestion(set, names));
  }
  Catalog catalog(*found);
  if (catalog.num_alerts() == 0) throw InputError("this version of RDKit does not have the set of alerts " + set);
  return catalog;
}

Options check_options(Options options) {
  options.mode = Mode::first;
  options.max_matches = options.pair_budget = 0;
  options.chirality = false;
  options.progress = {};
  return options;
}

}  // namespace

AlertAgreement& AlertAgreement::operator+=(const AlertAgreement& other) {
  molecules += other.molecules;
  both += other.both;
  ours += other.ours;
  theirs += other.theirs;
  differing += other.differing;
  const auto room = std::min(kMaxDifferences - differences.size(), other.differences.size());
  differences.insert(differences.end(), other.differences.begin(), other.differences.begin() + checked_cast<int>(room));
  return *this;
}

struct AlertCheck::Impl {
  Impl(const std::string& set, const Options& wanted)
      : catalog(catalog_of(set)),
        queries(catalog.queries()),
        options(check_options(wanted)),
        progress(wanted.progress) {
    if (!queries.accepted.empty()) matcher.emplace(queries, options);
    ids.resize(catalog.num_alerts());
    for (const Query& query : queries.accepted) ids[query.line - 1] = query.id;
    for (const RejectedRow& row : queries.rejected) ids[row.line - 1] = row.id;
  }

  /// The numbers of the alerts that Quarry finds, ascending, molecule by molecule.
  std::vector<std::vector<std::uint32_t>> search(const Library& library) {
    std::vector<std::vector<std::uint32_t>> found(library.num_molecules());
    if (!matcher) return found;
    matcher->run(library, [&](const Result& result) {
      for (Index row = 0; row < result.num_molecules(); ++row)
        for (Index i = result.hit_offsets[row]; i < result.hit_offsets[row + 1]; ++i)
          found[result.first_molecule + row].push_back(
              checked_cast<std::uint32_t>(queries.accepted[result.hits[i].query].line - 1));
    });
    return found;
  }

  AlertAgreement compare(std::span<const std::uint32_t> found, std::string_view molecule, std::string_view record,
                         const Provenance& origin) const;

  Catalog catalog;
  QuerySet queries;
  Options options;
  Progress progress;
  std::optional<Matcher> matcher;
  std::vector<std::string> ids;  ///< of all alerts
};

AlertAgreement AlertCheck::Impl::compare(std::span<const std::uint32_t> found, std::string_view molecule,
                                         std::string_view record, const Provenance& origin) const {
  const std::string named = fmt::format("molecule '{}'", molecule);
  if (record.empty()) throw InputError(named + " cannot be compared: the library keeps no record of it");
  const auto wanted = catalog.matches(std::string(record), origin.format, origin.explicit_hydrogens);
  AlertAgreement agreement;
  agreement.molecules = 1;
  agreement.both = !found.empty() && !wanted.empty() ? 1 : 0;
  agreement.ours = !found.empty() && wanted.empty() ? 1 : 0;
  agreement.theirs = found.empty() && !wanted.empty() ? 1 : 0;
  std::vector<std::uint32_t> different;
  std::ranges::set_symmetric_difference(found, wanted, std::back_inserter(different));
  agreement.differing = std::ssize(different);
  for (const std::uint32_t alert : different) {
    const bool is_ours = std::ranges::binary_search(found, alert);
    agreement.differences.push_back(named + ", alert '" + ids[alert] + "': only " + (is_ours ? "Quarry" : "RDKit") +
                                    " finds it");
  }
  return agreement;
}

AlertCheck::AlertCheck(const std::string& set, const Options& options) : impl_(std::make_unique<Impl>(set, options)) {}
AlertCheck::AlertCheck(AlertCheck&&) noexcept = default;
AlertCheck::~AlertCheck() = default;

const std::vector<RejectedRow>& AlertCheck::refused() const { return impl_->queries.rejected; }

AlertAgreement AlertCheck::compare(const Library& library) {
  const auto found = impl_->search(library);
  AlertAgreement total;
  for (Index chunk = 0; chunk < library.num_chunks(); ++chunk) {
    const ChunkText text = library.text(chunk, /*with_records=*/true);
    const Index first = library.first_molecule(chunk);
    std::vector<AlertAgreement> parts(library.num_molecules(chunk));
    library.in_chunk(chunk, [&] {
      parallel_for_range(impl_->options.threads, std::ssize(parts), kAlertGrain, [&](Index from, Index to) {
        for (Index i = from; i < to; ++i)
          parts[i] = impl_->compare(found[first + i], text.ids[i], text.records[i], library.provenance());
      });
    });
    for (const AlertAgreement& part : parts) total += part;
    if (impl_->progress) impl_->progress(first + std::ssize(parts), library.num_molecules());
  }
  return total;
}

}  // namespace quarry::match
