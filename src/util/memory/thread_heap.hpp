/// The heap of a thread that a program works with, beside that of its first one.
#pragma once

namespace quarry {

/// Once `keep_freed_memory` was called, asks for huge pages for the heap of the calling thread; each later call does nothing.
void prepare_thread_heap();

}  // namespace quarry
