/// What a molecule must have for each query, in the form in which the first kernels look for it.
#pragma once
#include "match/plan.hpp"

namespace quarry::match {

/// Fills the screens of a plan, and the lists that they name, from the classes of the atoms of its queries.
void add_screens(Plan& plan);

}  // namespace quarry::match
