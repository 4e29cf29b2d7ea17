/// Which molecules of a library need their stereo marks, where the library has them in its records alone.
///
/// A mark of a query can only take embeddings away. So a molecule in which no query with marks occurs, marks left aside, has
/// the same answers with and without its own marks, and RDKit need not read its record. A mark inside `$()` may also add
/// embeddings, where the `$()` is negated: then all molecules need theirs.
#pragma once
#include "quarry/query.hpp"

namespace quarry::match {

struct StereoScreen {
  bool every_molecule = false;
  QuerySet queries;  ///< those with marks, without limits on the number of matches
};

StereoScreen stereo_screen(const QuerySet& queries);

}  // namespace quarry::match
