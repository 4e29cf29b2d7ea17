/// The tests of this folder start no thread, so that the check with ThreadSanitizer need not run them. This definition
/// stands before that of the C library, and a test that starts a thread ends in it. Drivers of devices have threads of
/// their own, so with a device for the tests nothing is checked.
#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*action)(void*), void* argument) noexcept {
  if (std::getenv("QUARRY_TEST_DEVICE") != nullptr) {
    const auto next = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
    return next(thread, attributes, action, argument);
  }
  std::fputs("a test in tests/unit/serial started a thread: move its file to tests/unit\n", stderr);
  std::abort();
}
