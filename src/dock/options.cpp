/// The numbers behind the names that options have.
#include "quarry/dock.hpp"

namespace quarry::dock {

double torsion_weight(Scoring scoring) { return scoring == Scoring::vina ? 0.05846 : 0.02; }

SearchOptions search_options(Effort effort) {
  SearchOptions options;
  switch (effort) {
    case Effort::screen:
      options.max_poses = 32;
      options.chains = 0;
      break;
    case Effort::standard:
      break;
    case Effort::thorough:
      options.restarts = 2048;
      options.iterations = 3;
      options.max_poses = 512;
      options.chains = 256;
      break;
  }
  return options;
}

}  // namespace quarry::dock
