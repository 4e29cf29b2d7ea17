/// Parsing and perception against RDKit's own query functions.
#include "chemistry/perceive.hpp"

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/QueryOps.h>
#include <GraphMol/RWMol.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;

std::unique_ptr<RDKit::RWMol> parsed(const std::string& smiles, bool explicit_hydrogens = false) {
  std::string reason;
  auto molecule = parse_record(smiles, RecordFormat::smiles, explicit_hydrogens, reason);
  EXPECT_TRUE(molecule) << smiles << ": " << reason;
  EXPECT_EQ(reason, "");
  return molecule;
}

std::string reason_for_record(const std::string& record, RecordFormat format = RecordFormat::smiles) {
  std::string reason;
  EXPECT_FALSE(parse_record(record, format, false, reason)) << record;
  return reason;
}

Molecule molecule_of(const std::string& smiles, bool explicit_hydrogens = false) {
  return perceive(*parsed(smiles, explicit_hydrogens));
}

/// Every property the way QueryOps.h computes it, in the order of AtomProperty.
AtomKind kind_by_query_functions(const RDKit::Atom* atom) {
  using namespace RDKit;
  const int values[kNumAtomProperties] = {queryAtomNum(atom),
                                          queryAtomAromatic(atom),
                                          queryAtomFormalCharge(atom),
                                          queryAtomIsotope(atom),
                                          queryAtomHCount(atom),
                                          queryAtomImplicitHCount(atom),
                                          queryAtomExplicitDegree(atom),
                                          queryAtomNonHydrogenDegree(atom),
                                          queryAtomTotalDegree(atom),
                                          queryAtomTotalValence(atom),
                                          queryIsAtomInNRings(atom),
                                          queryAtomMinRingSize(atom),
                                          queryAtomRingBondCount(atom),
                                          queryAtomHybridization(atom),
                                          queryAtomNumHeteroatomNbrs(atom),
                                          queryAtomNumAliphaticHeteroatomNbrs(atom)};
  AtomKind kind{};
  std::copy(std::begin(values), std::end(values), kind.begin());
  return kind;
}

const char* const kVariedRecords[] = {
    "CC(=O)Oc1ccccc1C(=O)O",
    "C[N+](C)(C)CC([O-])=O",
    "[2H]C([2H])([2H])[13CH2]O",
    "[H][H]",
    "[H+]",
    "*c1ccc(*)cc1",
    "C12C3C4C1C5C2C3C45",
    "c1ccc2c(c1)[nH]c1ccccc12",
    "O=S(=O)(c1ccc(Cl)nc1)N1CCOCC1",
    "[Na+].[Cl-]",
    "FC(F)(F)S(F)(F)(F)(F)F",
    "[Cu+2]",
    "N->[Pt](Cl)(Cl)<-N",
    "C1CC1C2CCCCCCC2",
    "OP(O)(=O)OP(O)(O)=O",
    "C#CC=C=C",
    "[CH3]",
    "o1cccc1[Si](C)(C)[H]",
    "B1OC(C)(C)C(C)(C)O1",
};

TEST(Perceive, EqualsTheQueryFunctions) {
  for (const std::string smiles : kVariedRecords) {
    for (const bool explicit_hydrogens : {false, true}) {
      const auto source = parsed(smiles, explicit_hydrogens);
      const Molecule molecule = perceive(*source);
      ASSERT_EQ(molecule.atoms.size(), source->getNumAtoms());
      for (const auto* atom : source->atoms()) {
        EXPECT_EQ(molecule.atoms[atom->getIdx()], kind_by_query_functions(atom))
            << smiles << " atom " << atom->getIdx();
      }
      ASSERT_EQ(molecule.bonds.size(), source->getNumBonds());
      for (const Bond& bond : molecule.bonds) {
        const auto* origin = source->getBondBetweenAtoms(bond.begin, bond.end);
        ASSERT_NE(origin, nullptr);
        int type = RDKit::queryBondOrder(origin);
        if (type == RDKit::Bond::DATIVE) type = origin->getBeginAtomIdx() == bond.begin ? kDativeRight : kDativeLeft;
        EXPECT_EQ(bond.kind, bond_kind(type, RDKit::queryIsBondInRing(origin))) << smiles;
      }
    }
  }
}

TEST(Perceive, SortsBondsByLaterAtom) {
  const Molecule molecule = molecule_of("C1CCC1=O");
  const BondKind ring = bond_kind(1, true), twofold = bond_kind(2, false);
  EXPECT_EQ(molecule.bonds,
            (std::vector<Bond>{{0, 1, ring}, {1, 2, ring}, {0, 3, ring}, {2, 3, ring}, {3, 4, twofold}}));
}

TEST(Perceive, MakesHydrogensAtomsWhereAsked) {
  EXPECT_EQ(molecule_of("CCO").atoms.size(), 3u);
  const Molecule molecule = molecule_of("CCO", true);
  ASSERT_EQ(molecule.atoms.size(), 9u);
  EXPECT_EQ(value_of(molecule.atoms[0], AtomProperty::hydrogens), 3);
  EXPECT_EQ(value_of(molecule.atoms[0], AtomProperty::implicit_hydrogens), 0);
  EXPECT_EQ(value_of(molecule.atoms[0], AtomProperty::heavy_degree), 1);
  EXPECT_EQ(value_of(molecule_of("c1ccccc1", true).atoms[0], AtomProperty::ring_size), 6);
}

using Chiral = std::vector<ChiralAtom>;

TEST(Perceive, RestatesChiralityForAscendingNeighbours) {
  EXPECT_EQ(molecule_of("F[C@](Cl)(Br)I").chiral_atoms, (Chiral{{1, false}}));
  EXPECT_EQ(molecule_of("F[C@@](Cl)(Br)I").chiral_atoms, (Chiral{{1, true}}));
  // Written order O F Cl C, ascending order F Cl C O: an odd permutation.
  EXPECT_EQ(molecule_of("[C@@]1(F)(Cl)CCO1").chiral_atoms, (Chiral{{0, false}}));
  EXPECT_EQ(molecule_of("[C@]1(F)(Cl)CCO1").chiral_atoms, (Chiral{{0, true}}));
  // Written order F O Cl C, ascending order F Cl C O: an even one.
  EXPECT_EQ(molecule_of("F[C@]1(Cl)CCO1").chiral_atoms, (Chiral{{1, false}}));
  // Here the order of the bonds, O F Cl C, is not the ascending one either: RDKit's own tag must be inverted.
  EXPECT_EQ(molecule_of("C1CO[C@]1(F)Cl").chiral_atoms, (Chiral{{3, true}}));
  EXPECT_EQ(molecule_of("C1CO[C@@]1(F)Cl").chiral_atoms, (Chiral{{3, false}}));
  // One molecule, two neighbours exchanged.
  EXPECT_NE(molecule_of("N[C@H](C)O").chiral_atoms, molecule_of("C[C@@H](N)O").chiral_atoms);
  EXPECT_EQ(molecule_of("CC[C@H](C)C").chiral_atoms, Chiral{});
}

TEST(Perceive, ChiralityFollowsEveryRenumbering) {
  const auto source = parsed("F[C@](Cl)(Br)I");
  std::vector<unsigned> order{0, 1, 2, 3, 4};  // of the old atoms
  do {
    int swaps = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) swaps += order[i] != 1 && order[j] != 1 && order[j] > order[i];
    }
    const std::unique_ptr<RDKit::ROMol> renumbered(RDKit::MolOps::renumberAtoms(*source, order));
    const std::uint32_t centre = std::find(order.begin(), order.end(), 1u) - order.begin();
    EXPECT_EQ(perceive(*renumbered).chiral_atoms, (Chiral{{centre, swaps % 2 != 0}}));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Perceive, ReadsDoubleBondGeometry) {
  using Stereo = std::vector<StereoBond>;
  EXPECT_EQ(molecule_of("F/C=C/F").stereo_bonds, (Stereo{{1, 2, 0, 3, false}}));
  EXPECT_EQ(molecule_of("F/C=C\\F").stereo_bonds, (Stereo{{1, 2, 0, 3, true}}));
  EXPECT_EQ(molecule_of("C(=C/F)\\F").stereo_bonds, (Stereo{{0, 1, 3, 2, false}}));
  EXPECT_EQ(molecule_of("C(=C/F)/F").stereo_bonds, (Stereo{{0, 1, 3, 2, true}}));
  EXPECT_EQ(molecule_of("F/C=C/C=C\\F").stereo_bonds, (Stereo{{1, 2, 0, 3, false}, {3, 4, 2, 5, true}}));
  EXPECT_EQ(molecule_of("FC=CF").stereo_bonds, Stereo{});
  const std::unique_ptr<RDKit::ROMol> reversed(RDKit::MolOps::renumberAtoms(*parsed("F/C=C/Cl"), {3, 2, 1, 0}));
  EXPECT_EQ(perceive(*reversed).stereo_bonds, (Stereo{{1, 2, 0, 3, false}}));
}

/// Dative bonds: RDKit keeps a valence in eight bits.
std::string star(int num_neighbours) {
  std::string smiles = "[Fe]";
  for (int i = 1; i < num_neighbours; ++i) smiles += "(->[Zn])";
  return smiles + "->[Zn]";
}

TEST(Perceive, RefusesWhatDoesNotFit) {
  EXPECT_EQ(value_of(molecule_of(star(255)).atoms[0], AtomProperty::degree), 255);
  const std::string said = message_of<InputError>([] { molecule_of(star(256)); });
  EXPECT_EQ(said, "the number of neighbours of atom 0 is 256, the limit is 255");

  const auto heavy = parsed("CC");
  heavy->getAtomWithIdx(1)->setIsotope(32767);
  EXPECT_EQ(value_of(perceive(*heavy).atoms[1], AtomProperty::isotope), 32767);
  heavy->getAtomWithIdx(1)->setIsotope(32768);
  EXPECT_EQ(message_of<InputError>([&] { perceive(*heavy); }), "the isotope of atom 1 is 32768, the limit is 32767");
}

TEST(ParseRecord, SaysWhyASmilesIsRefused) {
  testing::internal::CaptureStderr();
  EXPECT_NE(reason_for_record("C1CC").find("unclosed ring"), std::string::npos) << reason_for_record("C1CC");
  EXPECT_NE(reason_for_record("CX").find("syntax error"), std::string::npos) << reason_for_record("CX");
  EXPECT_NE(reason_for_record("C(C").find("extra open parentheses"), std::string::npos) << reason_for_record("C(C");
  EXPECT_EQ(reason_for_record("c1cccc1"), "Can't kekulize mol.  Unkekulized atoms: 0 1 2 3 4");
  EXPECT_EQ(reason_for_record("CC(C)(C)(C)C"), "Explicit valence for atom # 1 C, 5, is greater than permitted");
  EXPECT_EQ(reason_for_record(""), "the molecule has no atoms");
  parsed("CCO");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ParseRecord, ReadsMolBlocks) {
  for (const bool v3000 : {false, true}) {
    const std::string block = RDKit::MolToMolBlock(*parsed("C[C@H](N)C(=O)O"), true, -1, true, v3000);
    std::string reason;
    const auto molecule = parse_record(block + "> <name>\nalanine\n\n", RecordFormat::sdf, false, reason);
    ASSERT_TRUE(molecule) << reason;
    EXPECT_EQ(perceive(*molecule).atoms, molecule_of("C[C@H](N)C(=O)O").atoms);
  }
}

TEST(ParseRecord, SaysWhyAMolBlockIsRefused) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(reason_for_record("a\nb\nc\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n", RecordFormat::sdf),
            "the molecule has no atoms");
  EXPECT_NE(reason_for_record("a\nb\nc\nx\n", RecordFormat::sdf).find("Counts line too short"), std::string::npos);
  EXPECT_NE(reason_for_record("", RecordFormat::sdf), "");
  const std::string cut = RDKit::MolToMolBlock(*parsed("CCO")).substr(0, 150);
  EXPECT_NE(reason_for_record(cut, RecordFormat::sdf), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ParseRecord, ReasonsDoNotMixAcrossThreads) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([number] {
      const std::string bad = "C" + std::to_string(number + 1) + std::string(number, 'C');
      for (int i = 0; i < 200; ++i) {
        EXPECT_NE(reason_for_record(bad).find("'" + bad + "'"), std::string::npos) << reason_for_record(bad);
        parsed("c1ccccc1");
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace quarry
