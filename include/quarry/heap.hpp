/// The heap of a program that does little beside Quarry's work.
#pragma once

#pragma GCC visibility push(default)
namespace quarry {

/// Keeps up to 64 MB of freed memory for the next arrays, and asks for huge pages for the first 64 MB of the heap and the first
/// 31 MB of that of each thread that works. To be called once, when a program begins; only glibc's heap changes. The program
/// `quarry` calls it.
void keep_freed_memory();

}  // namespace quarry
#pragma GCC visibility pop
