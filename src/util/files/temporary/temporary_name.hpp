/// The names of unfinished files, and what becomes of those that a dead process has left behind.
///
/// A process locks (flock) each of its files that has such a name for as long as it has it, so a file that can be locked
/// belongs to no one.
#pragma once
#include <filesystem>
#include <string>

namespace quarry {

/// A new name in the folder, short and unlike any other, however long the name of the target is.
std::string temporary_name(const std::filesystem::path& folder);
/// Locks an open file with such a name. @return false where another process has just removed it
bool lock_temporary(int descriptor);
/// Removes from the folder the unfinished files of processes that were killed.
void remove_dead_temporaries(const std::filesystem::path& folder);

}  // namespace quarry
