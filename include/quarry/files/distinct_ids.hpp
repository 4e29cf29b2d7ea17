/// Names for molecules that have the id of an earlier one, so that the rows of a table can be told apart.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/index.hpp"

#pragma GCC visibility push(default)
namespace quarry {

class Library;

/// A molecule of a library, of the chunk that a reader delivered last, or of some rows, and the name that tells it apart.
struct NamedMolecule {
  Index molecule = 0;
  std::string name;
};

/// Takes note of the ids of one file after the other. Keeps 8 bytes of each: two different ids of 50 million are taken for
/// equal once in 15,000 runs, and then one of them has a longer name than it needs.
class DistinctIds {
 public:
  /// Most ids that are kept where the caller says nothing else, in 512 MiB. Those that come later are compared with these.
  static constexpr Index kMost = Index{3} << 24;

  /// @param most  ids that are kept
  explicit DistinctIds(Index most = kMost) : most_(most) {}

  /// The ids that follow are those of another file.
  void enter_file(const std::string& name);
  /// @param line  of the row in its file, or number of the molecule in its library, from 1
  /// @return `file:id` where only a file before this one has the id, `file:line:id` where this file has it; else nothing.
  ///         Once no more ids are kept, `file:line:id` for either. A name that is an id, or the name of another row
  ///         because a file came twice, ends in `#2`, `#3`, ...
  std::optional<std::string> name_of(std::string_view id, Index line) { return name_of(id, hash_of(id), line); }
  /// The same for consecutive rows, which are numbered from 0. @param lines  of each row
  std::vector<NamedMolecule> names_of(std::span<const std::string_view> ids, std::span<const Index> lines);
  /// Has every row so far an id of its own?
  bool all_differ() const { return num_named_ == 0 && num_left_out_ == 0; }
  /// How many were given a name.
  Index num_named() const { return num_named_; }
  /// How many ids were not kept.
  Index num_left_out() const { return num_left_out_; }

 private:
  /// Hashes, none of them 0. A free slot is 0.
  class Set {
   public:
    bool has(std::uint64_t hash) const { return size_ > 0 && slots_[slot_of(hash)] != 0; }
    void add(std::uint64_t hash);
    void add(const Set& other);
    /// Has the memory of a hash on its way.
    void fetch(std::uint64_t hash) const;
    Index size() const { return size_; }

   private:
    std::size_t slot_of(std::uint64_t hash) const;

    std::vector<std::uint64_t> slots_;  // a power of two, by the lower bits of a hash, the next free one after it
    Index size_ = 0;
  };

  static std::uint64_t hash_of(std::string_view id);
  std::optional<std::string> name_of(std::string_view id, std::uint64_t hash, Index line);
  bool claim(std::string_view name);

  Index most_;
  std::string file_;
  Set here_, before_;  // of this file, and of those before it
  Index num_named_ = 0, num_left_out_ = 0;
};

/// Those of the next chunk of a library, ascending; the molecules are numbered in the library.
/// @throws InputError  as Library::text
[[nodiscard]] std::vector<NamedMolecule> distinct_names(const Library& library, Index chunk, DistinctIds& ids);
/// Those of a whole library. @param threads  that read the ids; 0: all cores
std::vector<NamedMolecule> distinct_names(const Library& library, DistinctIds& ids, int threads = 0);

}  // namespace quarry
#pragma GCC visibility pop
