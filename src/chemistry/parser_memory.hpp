/// RDKit's scanners of SMILES and SMARTS report a lack of memory as if the text were wrong, by an error of their own; and
/// embedding reads SMARTS too.
#pragma once
#include <exception>

namespace quarry {

/// To be called where an error of an RDKit parser is caught. Returns where the text is wrong.
/// @throws std::bad_alloc  memory was short; an error that is one already is thrown on as it is
void throw_if_out_of_memory(const std::exception& error);

}  // namespace quarry
