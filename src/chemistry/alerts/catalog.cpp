// RDKit's query classes are laid out as this file says, but do not include it themselves.
// clang-format off
#include <RDGeneral/RDConfig.h>
// clang-format on

#include "chemistry/alerts/catalog.hpp"

#include <GraphMol/FilterCatalog/FilterCatalog.h>
#include <GraphMol/FilterCatalog/FilterMatchers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmartsWrite.h>

#include <algorithm>
#include <array>
#include <bit>
#include <boost/serialization/access.hpp>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "chemistry/parser_log.hpp"
#include "chemistry/perceive.hpp"
#include "chemistry/smarts/smarts.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

using RDKit::FilterCatalogEntry;
using RDKit::FilterCatalogParams;

// The bits are the same in all versions of RDKit; those of ChEMBL's sets came after 2022.09.
constexpr auto kSets = std::to_array<CatalogSet>({{"pains", 7U << 1},
                                                  {"pains-a", 1U << 1},
                                                  {"pains-b", 1U << 2},
                                                  {"pains-c", 1U << 3},
                                                  {"brenk", 1U << 4},
                                                  {"nih", 1U << 5},
                                                  {"zinc", 1U << 6},
                                                  {"chembl-glaxo", 1U << 7},
                                                  {"chembl-dundee", 1U << 8},
                                                  {"chembl-bms", 1U << 9},
                                                  {"chembl-surechembl", 1U << 10},
                                                  {"chembl-mlsmr", 1U << 11},
                                                  {"chembl-inpharmatica", 1U << 12},
                                                  {"chembl-lint", 1U << 13}});

/// An entry shows its matcher to nobody but what writes it to an archive, so this is an archive that keeps it.
class MatcherOfEntry {
 public:
  using is_saving = boost::mpl::true_;
  using is_loading = boost::mpl::false_;

  explicit MatcherOfEntry(const FilterCatalogEntry& entry) {
    // Writing changes nothing, though the function that reads and writes takes no constant.
    boost::serialization::access::serialize(*this, const_cast<FilterCatalogEntry&>(entry), 1);
  }
  const RDKit::FilterMatcherBase* get() const { return matcher_; }

  template <class Value>
  void register_type(const Value*) {}
  template <class Value>
  MatcherOfEntry& operator&(const Value& value) {
    if constexpr (requires { static_cast<const RDKit::FilterMatcherBase*>(value.get()); }) matcher_ = value.get();
    return *this;
  }

 private:
  const RDKit::FilterMatcherBase* matcher_ = nullptr;
};

const RDKit::SmartsMatcher& smarts_matcher(const FilterCatalogEntry& entry) {
  const auto* const matcher = MatcherOfEntry(entry).get();
  const auto* const smarts = dynamic_cast<const RDKit::SmartsMatcher*>(matcher);
  if (smarts != nullptr && smarts->isValid()) return *smarts;
  throw InputError("it is no SMARTS but " + (matcher != nullptr ? "'" + matcher->getName() + "'" : "empty"));
}

/// RDKit's text of the pattern, which has no hydrogen atoms that could be counted instead, and the pattern with its atoms
/// in the order of that text.
void set_pattern(const RDKit::ROMol& molecule, Query& query) {
  query.smarts = RDKit::MolToSmarts(molecule);
  std::vector<unsigned> order;
  molecule.getProp(RDKit::common_properties::_smilesAtomOutputOrder, order);
  const std::unique_ptr<RDKit::ROMol> ordered(RDKit::MolOps::renumberAtoms(molecule, order));
  query.pattern = compile_query_molecule(*ordered, query.stereo_refusal);
  (void)compile_smarts(query.smarts, QueryHydrogens::literal, &query.stereo_refusal);  // the text too is a query
}

void set_limits(const RDKit::SmartsMatcher& matcher, Query& query) {
  query.least = matcher.getMinCount();
  const unsigned most = matcher.getMaxCount();
  query.most = most == std::numeric_limits<unsigned>::max() ? Query::kNoMost : Index{most};
}

std::string property(const FilterCatalogEntry& entry, const char* name) {
  std::string value;
  return entry.getPropIfPresent(name, value) ? value : "";
}

/// The set, or the part of it that the alert belongs to: RDKit's PAINS_A is "pains-a".
std::string group_of(const FilterCatalogEntry& entry, const CatalogSet& set) {
  if (std::has_single_bit(set.catalogs)) return std::string(set.name);
  std::string name = lower_case(property(entry, "FilterSet"));
  std::ranges::replace(name, '_', '-');
  return name;
}

}  // namespace

std::span<const CatalogSet> catalog_sets() { return kSets; }

const CatalogSet* find_catalog_set(std::string_view name) {
  const auto found = std::ranges::find(kSets, lower_case(std::string(name)), &CatalogSet::name);
  return found == kSets.end() ? nullptr : &*found;
}

Query query_of(const FilterCatalogEntry& entry) {
  const RDKit::SmartsMatcher& matcher = smarts_matcher(entry);
  Query query;
  query.id = entry.getDescription();
  query.comment = property(entry, "Scope");
  set_limits(matcher, query);
  set_pattern(*matcher.getPattern(), query);
  return query;
}

struct Catalog::Impl {
  explicit Impl(const CatalogSet& catalog_set) : set(catalog_set) {
    if ((set.catalogs & ~static_cast<unsigned>(FilterCatalogParams::ALL)) != 0) return;  // this RDKit lacks the set
    const ParserGuard guard;
    const FilterCatalogParams params(static_cast<FilterCatalogParams::FilterCatalogs>(set.catalogs));
    catalog.setCatalogParams(&params);
    for (unsigned i = 0; i < catalog.getNumEntries(); ++i) numbers.emplace(catalog.getEntryWithIdx(i), i);
  }

  CatalogSet set;
  RDKit::FilterCatalog catalog;
  std::unordered_map<const FilterCatalogEntry*, std::uint32_t> numbers;
};

Catalog::Catalog(const CatalogSet& set) : impl_(std::make_unique<Impl>(set)) {}
Catalog::Catalog(Catalog&&) noexcept = default;
Catalog::~Catalog() = default;

Index Catalog::num_alerts() const { return impl_->catalog.getNumEntries(); }

QuerySet Catalog::queries() const {
  QuerySet result;
  std::unordered_set<std::string> ids;
  for (unsigned i = 0; i < impl_->catalog.getNumEntries(); ++i) {
    const FilterCatalogEntry& entry = *impl_->catalog.getEntryWithIdx(i);
    const Index line = i + 1;
    std::string id = entry.getDescription();
    if (!ids.insert(id).second) id += ":" + std::to_string(line);
    try {
      Query query = query_of(entry);
      query.line = line;
      query.id = id;
      query.group = group_of(entry, impl_->set);
      result.accepted.push_back(std::move(query));
    } catch (const InputError& error) {
      result.rejected.push_back({line, id, error.what()});
    }
  }
  return result;
}

std::vector<std::uint32_t> Catalog::matches(std::string_view record, RecordFormat format,
                                            bool explicit_hydrogens) const {
  std::string reason;
  const auto molecule = parse_record(record, format, explicit_hydrogens, reason);
  if (!molecule) throw InputError(reason);
  std::vector<std::uint32_t> numbers;
  for (const auto& entry : impl_->catalog.getMatches(*molecule)) numbers.push_back(impl_->numbers.at(entry.get()));
  return numbers;
}

}  // namespace quarry
