/// A table of small molecules, and large ones made by repeating a unit.
#include "support/molecules/awkward_molecules.hpp"

namespace quarry::test {
namespace {

const std::vector<std::string> kSmall = {
    // Single atoms and ions, hydrogen itself, isotopes, radicals, dummies.
    "[H][H] hydrogen",
    "[H+] proton",
    "[2H]O[2H] heavy-water",
    "[He] helium",
    "[Na+].[Cl-] salt",
    "[13CH4] methane-13C",
    "[CH3] methyl-radical",
    "[O][O] triplet-oxygen",
    "*C(=O)O* dummies",
    "[1*]CC[2*] numbered-dummies",
    "[2H]C([2H])([2H])S(=O)C([2H])([2H])[2H] deuterated",
    "[3H]c1ccccc1 tritiated",
    "[U+6] uranium",
    "O water",
    // Charges, zwitterions, odd valences.
    "[NH3+]CC([O-])=O glycine",
    "C[N+](C)(C)CCO choline",
    "O=[N+]([O-])c1ccccc1 nitrobenzene",
    "[O-][Cl+3]([O-])([O-])[O-].[K+] perchlorate",
    "F[P-](F)(F)(F)(F)F hexafluorophosphate",
    "FS(F)(F)(F)(F)F sf6",
    "[C-]#[O+] carbon-monoxide",
    "[N-]=[N+]=NC azide",
    "C[S+](C)C sulfonium",
    "[B-](F)(F)(F)F.C[n+]1ccn(C)c1 ionic",
    "C[Si](C)(C)C#C silane",
    "OP(=O)(O)OP(=O)(O)O diphosphate",
    "[Se]=C=[Se] selenide",
    "C[As](C)C arsine",
    // Metals, dative and ionic.
    "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1 ferrocene-ions",
    "N->[Pt](<-N)(Cl)Cl cisplatin-dative",
    "N[Pt](N)(Cl)Cl cisplatin",
    "C1CN->[Pt](Cl)(Cl)<-N1 chelate-dative",
    "[Cu]<-[O]=C([O]->[Cu])C bridge-dative",
    "C[NH]([CH3])->[Zn](<-[OH2])->[Pt] chain-dative",
    "C[Hg]C mercury",
    "[Zn+2].[O-]C(C)=O.[O-]C(C)=O zinc-acetate",
    "CC(=O)O[Cu]OC(C)=O copper",
    "C[Mg]Br grignard",
    "O=C=[Ni](=C=O)(=C=O)=C=O nickel",
    "[Cl-].[Cl-].[Ca+2].O.O calcium-hydrate",
    "CCCC[Sn](CCCC)(CCCC)CCCC tin",
    // Tetrahedral and double-bond stereo.
    "N[C@@H](C)C(=O)O l-alanine",
    "N[C@H](C)C(=O)O d-alanine",
    "C[C@](F)(Cl)Br chiral-halide",
    "C[C@@](F)(Cl)Br mirror-halide",
    "F/C=C/F trans",
    "F/C=C\\F cis",
    "FC=CF unmarked",
    "C/C=C/C=C\\C diene",
    "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O glucose",
    "C/C(F)=C(/C)Cl tetrasubstituted",
    "CC(O)/C=C/[C@@H](N)CC(/C)=N/O mixed-stereo",
    "C[S@](=O)c1ccccc1 sulfoxide",
    "C[P@](=O)(O)c1ccccc1 phosphinate",
    "[H][C@](F)(Cl)Br explicit-hydrogen",
    "C1CC[C@@H]2CCCC[C@@H]2C1 cis-decalin",
    "C1CC[C@@H]2CCCC[C@H]2C1 decalin",
    // Rings: small, large, fused, bridged, spiro, caged, aromatic of every sort.
    "C1CC1 cyclopropane",
    "C1CCCCC1 cyclohexane",
    "C1CCCCCCCCCCCCCCCCCCC1 ring20",
    "c1ccc2cc3ccccc3cc2c1 anthracene",
    "C1CC2CCC1CC2 bicyclooctane",
    "C1CCC2(CC1)CCCC2 spiro",
    "C12C3C4C1C5C2C3C45 cubane",
    "c1ccc2[nH]ccc2c1 indole",
    "c1cc2cccc3ccc4cccc1c4c23 pyrene-like",
    "Cn1cnc2c1c(=O)n(C)c(=O)n2C caffeine",
    "c1ccoc1.c1ccsc1.c1cc[nH]c1 heteroles",
    "C1=CC=CC=CC=C1 cyclooctatetraene",
    "[O-][n+]1ccccc1 pyridine-oxide",
    "O=c1cc[nH]cc1 pyridone",
    "C1C2CC3CC1CC(C2)C3 adamantane",
    "c1ccc(cc1)-c1ccccc1 biphenyl",
    "C1CN2CCC1CC2 quinuclidine",
    // Multiple bonds and small oddities.
    "C#N hcn",
    "C=C=C allene",
    "CC#CC alkyne",
    "O=C=O carbon-dioxide",
    "N#N nitrogen",
    "C1=CC1 cyclopropene",
    "OO peroxide",
    "O=O oxygen",
    "Cl hydrogen-chloride",
    "BrBr bromine",
    "CC(C)(C)C neopentane",
    "OB(O)c1ccccc1 boronic",
};

std::string repeated(const std::string& unit, int times) {
  std::string text;
  for (int copy = 0; copy < times; ++copy) text += unit;
  return text;
}

}  // namespace

std::vector<std::string> awkward_molecules() {
  std::vector<std::string> lines = kSmall;
  for (const int atoms : {63, 64, 65, 127, 128, 129, 513}) {
    lines.push_back(repeated("C", atoms) + " alkane" + std::to_string(atoms));
  }
  for (const int residues : {16, 33, 65, 130}) {  // 4 atoms and 5 atoms a residue
    lines.push_back(repeated("NCC(=O)", residues) + "O polyglycine" + std::to_string(residues));
    lines.push_back(repeated("N[C@@H](C)C(=O)", residues) + "O polyalanine" + std::to_string(residues));
  }
  lines.push_back("C1" + repeated("NCC(=O)", 25) + "C1 cyclic-peptide");
  lines.push_back(repeated("OCC", 60) + "O polyglycol");
  lines.push_back(repeated("c1ccc(cc1)", 24) + "C polyphenylene");
  lines.push_back(repeated("C/C=C/", 40) + "C polyene");
  lines.push_back(repeated("[Na+].[O-]C(C)=O.", 30) + "O many-salts");
  lines.push_back("N[C@@H](Cc1ccccc1)C(=O)" + repeated("N[C@@H](CC(C)C)C(=O)N[C@@H](CCC(N)=O)C(=O)", 5) +
                  "N1CCC[C@H]1C(=O)O peptide12");
  return lines;
}

std::string as_file(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace quarry::test
