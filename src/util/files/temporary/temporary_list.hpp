/// The names of the unfinished files of this process, in memory that a signal handler may read.
#pragma once
#include <string>

namespace quarry {

/// Enters a name. @return its slot
/// @throws CapacityError  more files are being written at once, or a longer name, than there is room for
int register_temporary(const std::string& name);
void release_temporary(int slot);
/// Removes the files of all slots. Called by handlers that end the process.
void remove_listed_temporaries();

}  // namespace quarry
