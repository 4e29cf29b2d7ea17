/// Sets of alerts: RDKit's and those of a folder, as queries, and compared with RDKit's FilterCatalog, whose matcher holds
/// more locks at a time than ThreadSanitizer can follow.
// clang-format off
#include <RDGeneral/RDConfig.h>
// clang-format on

#include <GraphMol/FilterCatalog/FilterCatalogEntry.h>
#include <GraphMol/FilterCatalog/FilterMatchers.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "chemistry/alerts/catalog.hpp"
#include "chemistry/smarts/smarts.hpp"
#include "quarry/match.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::TemporaryFolder;

const std::vector<std::string> kSetsOfRdkit = {"pains", "pains-a", "pains-b", "pains-c", "brenk", "nih", "zinc"};

std::map<std::string, AlertSet> sets_by_name(const std::string& folder = "") {
  std::map<std::string, AlertSet> sets;
  for (AlertSet& set : alert_sets(folder)) sets.emplace(set.name, std::move(set));
  return sets;
}

TEST(AlertSets, ListsThoseOfRdkit) {
  const auto sets = sets_by_name();
  for (const std::string& name : kSetsOfRdkit) EXPECT_EQ(sets.at(name).unavailable, "") << name;
  EXPECT_EQ(sets.at("pains").num_alerts, 480);
  EXPECT_EQ(sets.at("pains-a").num_alerts + sets.at("pains-b").num_alerts + sets.at("pains-c").num_alerts, 480);
  EXPECT_EQ(sets.at("pains").num_counted, 0);
  EXPECT_EQ(sets.at("zinc").num_alerts, 50);
  EXPECT_EQ(sets.at("zinc").num_counted, 25);
  EXPECT_EQ(sets.at("zinc").origin.substr(0, 6), "RDKit ");
  EXPECT_TRUE(sets.contains("chembl-lint"));
}

TEST(AlertSets, AreQueriesWithGroupAndLimits) {
  const QuerySet pains = read_alert_set("pains");
  EXPECT_EQ(pains.rejected.size(), 0);
  EXPECT_EQ(pains.accepted.front().group, "pains-a");
  EXPECT_EQ(pains.accepted.back().group, "pains-c");
  EXPECT_EQ(pains.accepted.front().comment, "PAINS filters (family A)");
  const QuerySet zinc = read_alert_set("zinc");
  const Query& atoms = zinc.accepted.front();
  EXPECT_EQ(std::tuple(atoms.id, atoms.smarts, atoms.least, atoms.most, atoms.group),
            std::tuple("Non-Hydrogen_atoms", "[a,A]", 41, Query::kNoMost, "zinc"));
}

TEST(AlertSets, HaveEachIdOnce) {
  for (const std::string& name : kSetsOfRdkit) {
    std::set<std::string> ids;
    for (const Query& query : read_alert_set(name).accepted) EXPECT_TRUE(ids.insert(query.id).second) << query.id;
  }
}

/// The pattern is RDKit's own; the text that a user sees and --verify reads must mean the same.
TEST(AlertSets, MeanWhatTheirTextSays) {
  const auto same_order = [](Pattern& pattern) {
    std::ranges::sort(pattern.bonds, {}, [](const PatternBond& bond) { return std::pair(bond.begin, bond.end); });
  };
  for (const std::string& name : kSetsOfRdkit)
    for (const auto hydrogens : {QueryHydrogens::literal, QueryHydrogens::merge})
      for (Query& query : read_alert_set(name).accepted) {
        Pattern text = compile_smarts(query.smarts, hydrogens);
        same_order(text);
        same_order(query.pattern);
        EXPECT_EQ(text.atoms, query.pattern.atoms) << query.id;
        EXPECT_EQ(text.bonds, query.pattern.bonds) << query.id;
        EXPECT_EQ(text.recursive.size(), query.pattern.recursive.size()) << query.id;
      }
}

TEST(AlertSets, KeepLimitsAndRefuseWhatIsNoSmarts) {
  const RDKit::SmartsMatcher carbons("carbons", "C", 2, 5), oxygens("oxygens", "O");
  const Query counted = query_of(RDKit::FilterCatalogEntry("some carbons", carbons));
  EXPECT_EQ(std::tuple(counted.id, counted.smarts, counted.least, counted.most), std::tuple("some carbons", "C", 2, 5));
  EXPECT_EQ(query_of(RDKit::FilterCatalogEntry("oxygens", oxygens)).most, Query::kNoMost);
  const auto refusal = [](const RDKit::FilterMatcherBase& matcher) {
    return message_of<InputError>([&] { query_of(RDKit::FilterCatalogEntry("entry", matcher)); });
  };
  EXPECT_EQ(refusal(RDKit::FilterMatchOps::And(carbons, oxygens)), "it is no SMARTS but '(carbons And oxygens)'");
  EXPECT_EQ(refusal(RDKit::FilterMatchOps::Or(carbons, oxygens)), "it is no SMARTS but '(carbons Or oxygens)'");
  EXPECT_EQ(refusal(RDKit::FilterMatchOps::Not(carbons)), "it is no SMARTS but '(Not carbons)'");
}

TEST(AlertSets, OfAFolderGoFirst) {
  const TemporaryFolder folder;
  folder.write("Brenk.csv", "smarts,id,min,group\nC,carbons,3,\nO,oxygen,,own\n");
  folder.write("chembl-lint.smarts", "N amine\nC(C broken\n");
  folder.write("notes.md", "no set");
  const std::string path = folder.path();
  const auto sets = sets_by_name(path);
  EXPECT_EQ(sets.at("brenk").origin, path + "/Brenk.csv");
  EXPECT_EQ(sets.at("brenk").num_counted, 1);
  EXPECT_EQ(sets.at("chembl-lint").num_alerts, 2);
  EXPECT_EQ(sets.at("chembl-lint").unavailable, "");
  EXPECT_FALSE(sets.contains("notes"));
  const QuerySet brenk = read_alert_set("brenk", path);
  EXPECT_EQ(brenk.accepted[0].group, "brenk");
  EXPECT_EQ(brenk.accepted[1].group, "own");
  EXPECT_EQ(read_alert_set("chembl-lint", path).rejected.size(), 1);
  EXPECT_EQ(read_alert_set("zinc", path).accepted.size(), 50);
  folder.write("brenk.tsv", "smarts\nC\n");
  EXPECT_EQ(message_of<InputError>([&] { (void)read_alert_set("zinc", path); }),
            "'" + path + "/Brenk.csv' and '" + path + "/brenk.tsv' would both be the set brenk: rename one of them");
}

TEST(AlertSets, NamesWhatIsMissing) {
  EXPECT_EQ(message_of<InputError>([] { (void)read_alert_set("pain"); }).substr(0, 70),
            "there is no set of alerts named 'pain': RDKit's are pains, pains-a, pa");
  EXPECT_EQ(message_of<InputError>([] { (void)alert_sets("/no/such/folder"); }),
            "the folder '/no/such/folder' of sets cannot be read: No such file or directory");
  for (const auto& [name, set] : sets_by_name()) {
    if (set.unavailable.empty()) continue;
    const std::string& missing = name;  // no lambda of clang 14 takes a structured binding
    EXPECT_EQ(message_of<InputError>([&] { (void)read_alert_set(missing); }),
              "the set " + name + " is not available: " + set.unavailable);
  }
}

TEST(AlertSets, AgreeWithRdkitOnDrugs) {
  MoleculeReader reader(std::string(QUARRY_SOURCE_DIR) + "/examples/drugs.smi");
  const Library library = std::move(*reader.next());
  for (const std::string& name : kSetsOfRdkit) {
    const match::AlertAgreement agreement = match::AlertCheck(name, {}).compare(library);
    EXPECT_EQ(agreement.molecules, library.num_molecules());
    EXPECT_GT(agreement.both, 0) << name;
    EXPECT_EQ(agreement.ours + agreement.theirs + agreement.differing, 0) << name << agreement.differences.front();
  }
}

/// RDKit reads the record, Quarry the packed molecule: records of other molecules must be seen.
TEST(AlertSets, ComparisonSeesDifferences) {
  const TemporaryFolder folder;
  const Molecule carbon = MoleculeReader(folder.write("methane.smi", "C")).next()->molecule(0);
  const std::vector<Molecule> molecules = {carbon, carbon};
  const std::vector<std::string> ids = {"one", "two"}, records = {"CC", "CC(=O)C#N"};
  const Library library = Library::from_molecules(molecules, ids, records);
  std::vector<std::pair<Index, Index>> progress;
  match::Options options;
  options.progress = [&](Index done, Index total) { progress.emplace_back(done, total); };
  const match::AlertAgreement agreement = match::AlertCheck("nih", options).compare(library);
  EXPECT_EQ(progress, (std::vector<std::pair<Index, Index>>{{2, 2}}));
  EXPECT_EQ(std::tuple(agreement.molecules, agreement.both, agreement.ours, agreement.theirs), std::tuple(2, 0, 0, 1));
  ASSERT_EQ(agreement.differing, std::ssize(agreement.differences));
  EXPECT_EQ(agreement.differences.at(0).substr(0, 22), "molecule 'two', alert ");
  EXPECT_EQ(
      message_of<InputError>([&] { (void)match::AlertCheck("nih", {}).compare(Library::from_molecules(molecules)); }),
      "library in memory: chunk 0: molecule '1' cannot be compared: the library keeps no record of it");
  EXPECT_EQ(message_of<InputError>([&] { match::AlertCheck("none", {}); }),
            "RDKit has no set of alerts named 'none' to compare with");
  EXPECT_EQ(message_of<InputError>([&] { match::AlertCheck("nhi", {}); }),
            "RDKit has no set of alerts named 'nhi' to compare with, did you mean 'nih'?");
}

}  // namespace
}  // namespace quarry
