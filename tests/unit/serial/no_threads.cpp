/// The tests of this folder start no thread, so that the check with ThreadSanitizer need not run them. This definition
/// stands before that of the C library, and a test that starts a thread ends in it.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t*, const pthread_attr_t*,
                                                                     void* (*)(void*), void*) noexcept {
  std::fputs("a test in tests/unit/serial started a thread: move its file to tests/unit\n", stderr);
  std::abort();
}
