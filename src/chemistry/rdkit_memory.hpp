/// RDKit reports a lack of memory by errors of its own: its scanners of SMILES and SMARTS as if the text were wrong, its
/// canonical ranking as a broken invariant.
#pragma once
#include <exception>

namespace quarry {

/// To be called where an error of RDKit is caught. Returns where the text is wrong.
/// @throws std::bad_alloc  memory was short; an error that is one already is thrown on as it is
void throw_if_out_of_memory(const std::exception& error);

/// What `work`, which calls RDKit, returns.
/// @throws std::bad_alloc  memory was short, in whatever way RDKit said so
auto in_rdkit(const auto& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    throw;
  }
}

}  // namespace quarry
