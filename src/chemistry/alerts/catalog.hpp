/// RDKit's FilterCatalog: the sets of alerts that it has, each alert as a query, and its own answers.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/library.hpp"
#include "quarry/query.hpp"

namespace RDKit {
class FilterCatalogEntry;
}  // namespace RDKit

namespace quarry {

/// A set of alerts that some version of RDKit has.
struct CatalogSet {
  std::string_view name;
  unsigned catalogs;  ///< the bits of RDKit's FilterCatalogParams::FilterCatalogs
};

/// In the order in which they are listed. A set comes before those that are parts of it.
std::span<const CatalogSet> catalog_sets();

/// The set of that name, or nullptr.
const CatalogSet* find_catalog_set(std::string_view name);

/// An entry of a catalogue as a query, without line and group.
/// @throws InputError  it is no SMARTS, or one that Quarry refuses
Query query_of(const RDKit::FilterCatalogEntry& entry);

class Catalog {
 public:
  /// Empty where this RDKit does not have the set.
  explicit Catalog(const CatalogSet& set);
  Catalog(Catalog&&) noexcept;
  ~Catalog();

  Index num_alerts() const;
  /// Each alert with its pattern, group and limits; its line is its number, from 1. What cannot be a query is refused by
  /// its name. An alert that has the id of one before it gets its number too.
  QuerySet queries() const;
  /// The alerts that RDKit itself finds in a molecule, ascending, from 0. Safe to call from several threads.
  /// @throws InputError  the record cannot be read
  std::vector<std::uint32_t> matches(std::string_view record, RecordFormat format, bool explicit_hydrogens) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry
