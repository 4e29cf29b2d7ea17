/// The version that RDKit's library itself gives; Debian's header leaves it unfilled.
#include "quarry/version.hpp"

namespace RDKit {
extern const char* rdkitVersion;
}  // namespace RDKit

namespace quarry {

std::string rdkit_version() { return RDKit::rdkitVersion; }

}  // namespace quarry
