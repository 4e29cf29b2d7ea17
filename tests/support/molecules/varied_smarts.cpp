/// Tables of SMARTS, by what they exercise.
#include "support/molecules/varied_smarts.hpp"

namespace quarry::test {
namespace {

const std::vector<std::string> kVaried = {
    // Elements and aromaticity.
    "*", "a", "A", "C", "c", "n", "[#6]", "[#0]", "[#7,#8]", "[!#6]", "[!#6;!#1]", "[Fe,Pt,Zn,Hg,Cu,Mg,Ni]", "Cl", "Br",
    "[Si]", "[se]", "[B,b]", "p", "[As]", "[Na,K]", "[!a]", "[!A]", "[C,c]", "[N&!n]",
    // Charge, isotope.
    "[+]", "[-]", "[+0]", "[+1]", "[+2]", "[-1]", "[++]", "[--]", "[!+0]", "[N+,n+]", "[O-]", "[+3,+6]", "[13C]",
    "[2H]", "[0*]", "[!0*]", "[1*]", "[2*]",
    // Hydrogens.
    "[H0]", "[H1]", "[H]", "[H2,H3]", "[CH3]", "[NH2]", "[OH]", "[nH]", "[h0]", "[h1]", "[h]", "[h2]", "[!H0]",
    "[OX2H]", "[C;H1,H2]", "[h{0-1}]",
    // Degree, connectivity, valence.
    "[D1]", "[D2]", "[D3]", "[D]", "[D4]", "[D0]", "[X1]", "[X2]", "[X3]", "[X4]", "[X]", "[v1]", "[v2]", "[v3]",
    "[v4]", "[v5]", "[v6]", "[v]", "[D{2-3}]", "[D{3-}]", "[D{-1}]", "[X{3-4}]", "[v{4-}]", "[d1]", "[d2]", "[d{2-3}]",
    "[d]",
    // Rings.
    "[R]", "[R0]", "[R1]", "[R2]", "[R3]", "[!R]", "[r]", "[r3]", "[r5]", "[r6]", "[r0]", "[!r]", "[r{5-6}]", "[r{3-}]",
    "[x]", "[x0]", "[x2]", "[x3]", "[x{2-3}]", "[R{1-2}]", "[r20]",
    // Hybridization, heteroatom neighbours.
    "[^1]", "[^2]", "[^3]", "[C^2]", "[^4]", "[^5]", "[^0]", "[z]", "[z0]", "[z1]", "[z2]", "[z{2-3}]", "[Z]", "[Z0]",
    "[Z1]", "[Z2]", "[Z{1-}]",
    // Operators.
    "[C,N;H1]", "[C,N&H1]", "[!C&!N]", "[!C,!N]", "[C;!H3;!R]", "[#6;X3,X4;+0]", "[!$(*)]", "[c,n&H1,o]", "[!!C]",
    // Bonds.
    "C-C", "C=C", "C#C", "c:c", "C~C", "C@C", "C!@C", "C-,=C", "C=,#N", "*!-*", "*!-;!=*", "C-;@C", "C-;!@C", "*@;!:*",
    "N->[Pt]", "[Pt]<-N", "*->*", "*<-*", "*->*<-*", "*->*->*", "C[N,Pt]->[N,Pt]", "[!#6]1CCN->*1", "[$([Pt]<-*)]",
    "*(->*)Cl", "[#8]->[#29]", "*:;@*", "cc", "cC", "c-c", "c!:c", "C=O", "C#N", "[#6]~[#7]~[#6]", "*=*", "*#*",
    "*~*~*~*", "C-&@C", "*!@*@*",
    // Branches, ring closures, sizes.
    "C(C)C", "C(C)(C)C", "C(C)(C)(C)C", "C1CC1", "C1CCCCC1", "c1ccccc1", "*1~*~*~*~*~*~1", "*1~*~*~*~1", "C1CC2CCC1CC2",
    "c1ccc2ccccc2c1", "*~1~*~*~*~*~1", "C%10CCCCC%10", "C=1CC=1", "C1CC=1", "c1cc[nH]c1", "[#6]1~[#6]~[#6]1", "CCCCCC",
    "CCCCCCCCCC", "*~*~*~*~*~*~*", "C1CCC2(CC1)CCCC2", "C12C3C4C1C5C2C3C45",
    // Disconnected.
    "C.O", "[Na+].[Cl-]", "[+].[-]", "c1ccccc1.O", "[#16].[#7].[#8]", "C=O.C=O", "[Na+].[O-]C=O", "[OH].[NH2].C=O",
    // Functional groups.
    "C(=O)O", "C(=O)[OH]", "C(=O)[O-]", "C(=O)N", "[NX3;H2,H1;!$(NC=O)]", "[CX3](=O)[OX2H0][#6]", "[CX3H1](=O)[#6]",
    "S(=O)(=O)", "[SX3](=O)", "P(=O)(O)O", "[N+](=O)[O-]", "[NX3](=O)=O", "N=[N+]=[N-]", "[CX4][F,Cl,Br,I]", "OO",
    "C#N", "c[OH]", "cN", "[nH]1cccc1", "[n+]1ccccc1", "NCC(=O)NCC(=O)", "N[CX4H]C(=O)", "OCCOCCO",
    // Recursion.
    "[$(C=O)]", "[$([OH]c)]", "[$(*=O)]", "[C;$(C(=O)N)]", "[!$(C=O)]", "[$(C(=O)O),$(C(=O)N)]", "[$([CH3])]C",
    "[$(c1ccccc1)]", "[N;!$(N-C=O);!$(N=*)]", "[$([$(C=O)]N)]", "[$([#6]~[$([#7]~[#6])])]", "[$(*~*~*~*)]", "[$(C.O)]",
    "[O;$(O-[$([CX3]=O)])]", "*[!$(*#*)&!D1]-!@[!$(*#*)&!D1]*", "[$([!$(*=*)]~[$(*=*)])]", "[$([NX3](C)(C)C),$([nX3])]",
    "C[$(C(C)(C)C)]", "[$(C[$(C[$(C[$(CC)])])])]",
    // Atom maps.
    "[C:1][O:2]", "[CH3:7]"};

const std::vector<std::string> kStereo = {"N[C@@H](C)C(=O)",
                                          "N[C@H](C)C(=O)",
                                          "[C@@H]",
                                          "[C@H]",
                                          "[C@]",
                                          "[C@@]",
                                          "C[C@](F)(Cl)Br",
                                          "C[C@@](F)(Cl)Br",
                                          "C[C@H](F)Cl",
                                          "F[C@](Cl)Br",
                                          "F[C@@](Cl)(Br)C",
                                          "[C@H](O)(C)C",
                                          "[C@@H](N)(C)C",
                                          "O[C@H](C)C",
                                          "O[C@@H](C)C",
                                          "[C@](C)(O)(C)",
                                          "C[C@@H]1CCCCC1",
                                          "[C@@H]1CCCC[C@@H]1",
                                          "[C@@H]1CCCC[C@H]1",
                                          "OC[C@H]1O[C@@H](O)[C@H](O)[C@@H](O)[C@@H]1O",
                                          "C1CC[C@@H]2CCCC[C@@H]2C1",
                                          "*[C@](*)(*)*",
                                          "*[C@@](*)(*)*",
                                          "*[C@](*)*",
                                          "*[C@@H](*)*",
                                          "[S@](=O)",
                                          "C[S@](=O)c",
                                          "C[S@@](=O)c",
                                          "[P@]",
                                          "F/C=C/F",
                                          "F/C=C\\F",
                                          "FC=CF",
                                          "C/C=C/C",
                                          "C/C=C\\C",
                                          "*/*=*/*",
                                          "*/*=*\\*",
                                          "C/C=C/C=C\\C",
                                          "C/C(F)=C(/C)Cl",
                                          "C/C(F)=C(\\C)Cl",
                                          "C/C=C",
                                          "C\\C(C)=N/O",
                                          "C/C(C)=N/O",
                                          "[C@@H](N)C/C(C)=N/O",
                                          "[$([C@@H](N)C)]",
                                          "[$([C@H](N)(C)C(=O))]",
                                          "[$(N[C@@H](C)C=O)]",

                                          "C(=O)N[C@@H](C)C(=O)N[C@@H](C)",
                                          "[C@H2]",
                                          "[!$([C@H])]",
                                          "CC",
                                          "C=C",
                                          "[CX4H1]"};

const std::vector<std::string> kHydrogen = {"[H]",
                                            "[#1]",
                                            "[H]O",
                                            "[H][H]",
                                            "[#1]N",
                                            "[H]C([H])[H]",
                                            "[#6]-[#1]",
                                            "[#7;!H0]",
                                            "C[H]",
                                            "[H]c1ccccc1",
                                            "[#1,#6]",
                                            "[!#1]",
                                            "O[H]",
                                            "[H]OC(=O)",
                                            "[#1]-[#7]-[#6]",
                                            "[H]N([H])C",
                                            "[2H]",
                                            "[2H]O",
                                            "[H+]",
                                            "[C;!$(C[#1])]",
                                            "[$([#1])]",
                                            "c([H])c([H])",
                                            "[#7]([#1])[#6](=[#8])",
                                            "[NH2]",
                                            "[CH3]",
                                            "[D4]",
                                            "[X4]",
                                            "[h0]",
                                            "[H2]",
                                            "[*H]",
                                            "[d2]",
                                            "[D2]",
                                            "[#6](-[#1])(-[#1])-[#6]",
                                            "[H]C=C",
                                            "[!H]",
                                            "[#1]-[#6](-[#1])-[#1]",
                                            "[R0;#1]"};

}  // namespace

std::vector<std::string> varied_smarts() { return kVaried; }
std::vector<std::string> stereo_smarts() { return kStereo; }
std::vector<std::string> hydrogen_smarts() { return kHydrogen; }

}  // namespace quarry::test
