/// A file with a warning in it: it compiles, because users of Quarry do not inherit its compiler options.
#include "quarry/version.hpp"

#if __has_include("util/check.hpp") || __has_include(<GraphMol/ROMol.h>)
#error "the folder of Quarry's sources, or that of RDKit, reached a user of the library"
#endif

int main() {
  int unused;
  return quarry::kVersion[0] == '\0';
}
