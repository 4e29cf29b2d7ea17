/// Which atoms of an SDF record a molecule has.
#include "quarry/convert.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace quarry {
namespace {

// An imine with a hydrogen atom that alone says which side of the double bond is which; RDKit removes it all the same.
constexpr const char* kImine =
    "imine\n  made by hand\n\n  4  3  0  0  0  0  0  0  0  0999 V2000\n"
    "   -0.7500   -1.1495    0.0000 H   0  0\n"
    "    0.0000    0.0000    0.0000 N   0  0\n"
    "    1.5000    0.0000    0.0000 C   0  0\n"
    "    2.2500    1.2990    0.0000 C   0  0\n"
    "  1  2  1  0\n  2  3  2  0\n  3  4  1  0\nM  END\n";

TEST(Convert, AtomsOfRecordAreThoseOfTheMoleculeAlsoAtDoubleBonds) {
  // The hydrogens of nitrogen and of the two carbons, of which the record has one.
  EXPECT_EQ(atoms_of_record(kImine, "imine"), (std::vector<Index>{1, 2, 3, 0, -1, -1, -1, -1}));
  EXPECT_EQ(sdf_to_smiles(kImine, "imine"), "CC=N");
}

}  // namespace
}  // namespace quarry
