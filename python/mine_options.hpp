/// Options of `quarry::mine` in words, the same as those of the program.
#pragma once
#include "bindings.hpp"
#include "quarry/mine.hpp"

namespace quarry::python {

/// Options, and the callbacks that they borrow.
struct Options {
  mine::Options options;
  py::object progress, planned;
};

void add_mine_options(py::module_& module);

const char* name_of(mine::Semantics semantics);
const char* name_of(mine::Method method);

}  // namespace quarry::python
