/// Preloaded into the program: one call of the system fails on purpose, the n-th of its kind since `main` began.
///
/// QUARRY_FAULT       KIND:N, the call that fails; N = 0 fails none. With "other-" in front of KIND only the calls of other
///                    threads than the first are counted. KIND `scanner` is allocations by the scanners of RDKit's parsers,
///                    which are C and tell of them in a way of their own; they are counted only where they are asked for
/// QUARRY_FAULT_LOG   a file that gets "failed" and the stack where a call failed, and, when `main` returns, lines
///                    "KIND NUMBER" and "other-KIND NUMBER" for every kind
/// QUARRY_FAULT_PATHS where it is set, the log also gets a line "path NUMBER" for every allocation of the first thread that
///                    is the first of its stack: other allocations are made by the same calls
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum Kind { kWrite, kSync, kRename, kRead, kOpen, kMap, kAllocation, kScanner, kNumKinds };
constexpr std::array<const char*, kNumKinds> kNames = {"write", "sync", "rename",     "read",
                                                       "open",  "map",  "allocation", "scanner"};

using Numbers = std::array<std::atomic<long>, kNumKinds>;

Numbers numbers{}, other_numbers{};  // of all threads, of all but the first
std::atomic<bool> counting{false};
bool wanted_in_others = false, wants_paths = false;
int wanted_kind = -1, log_descriptor = -1;
long wanted_number = 0;
// Of a kind whose first use in a thread does not allocate.
[[gnu::tls_model("initial-exec")]] thread_local bool is_first_thread = false;

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// Hashes of stacks, in a table of fixed size: what looks on must not allocate.
std::array<std::uint64_t, std::size_t{1} << 20> stacks{};

/// Whether no allocation before came by these calls; of the first thread alone.
bool is_new_path() {
  std::array<void*, 128> stack{};
  const int depth = ::backtrace(stack.data(), stack.size());
  std::uint64_t hash = 1;
  for (int i = 0; i < depth; ++i) {
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(stack[i])) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  for (std::size_t at = hash % stacks.size();; at = (at + 1) % stacks.size()) {
    if (stacks[at] == hash) return false;
    if (stacks[at] != 0) continue;
    stacks[at] = hash;
    return true;
  }
}

void note_path(long number) {
  counting = false;
  if (is_new_path()) ::dprintf(log_descriptor, "path %ld\n", number);
  counting = true;
}

/// @return whether this call is to fail
bool fails(Kind kind) {
  // Before a file is opened the words of the command line are read, and there CLI11 cannot go on without memory:
  // CLI::Option::check_lname and what it calls, for one, are called by functions that must not throw.
  if (kind == kAllocation && numbers[kOpen] == 0) return false;
  if (!counting.load(std::memory_order_relaxed)) return false;
  const long number = ++numbers[kind], other_number = is_first_thread ? 0 : ++other_numbers[kind];
  if (wants_paths && kind == kAllocation && is_first_thread) note_path(number);
  if (kind != wanted_kind || (wanted_in_others ? other_number : number) != wanted_number || wanted_number == 0)
    return false;
  counting = false;  // what tells of it is not counted
  if (log_descriptor >= 0) {
    std::array<void*, 64> stack{};
    ::dprintf(log_descriptor, "failed\n");
    ::backtrace_symbols_fd(stack.data(), ::backtrace(stack.data(), stack.size()), log_descriptor);
  }
  counting = true;
  return true;
}

/// Whether the function to which a call returns is one of the parsers, which allocate by `new` but in their scanners.
bool is_scanner(const void* caller) {
  Dl_info function{};
  return ::dladdr(caller, &function) != 0 && std::strstr(function.dli_fname, "RDKitSmilesParse") != nullptr;
}

int (*program_main)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  if (const char* const path = std::getenv("QUARRY_FAULT_LOG")) {
    const int opened = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    constexpr int kOutOfTheWay = 900;  // of the standard streams, which may be closed
    log_descriptor = ::fcntl(opened, F_DUPFD_CLOEXEC, kOutOfTheWay);
    ::close(opened);
  }
  wants_paths = std::getenv("QUARRY_FAULT_PATHS") != nullptr && log_descriptor >= 0;
  if (const char* fault = std::getenv("QUARRY_FAULT")) {
    constexpr std::string_view kOther = "other-";
    wanted_in_others = std::string_view(fault).starts_with(kOther);
    fault += wanted_in_others ? kOther.size() : 0;
    const char* const colon = std::strchr(fault, ':');
    for (int kind = 0; kind < kNumKinds && colon != nullptr; ++kind) {
      if (std::strlen(kNames[kind]) == std::size_t(colon - fault) &&
          std::strncmp(kNames[kind], fault, colon - fault) == 0)
        wanted_kind = kind;
    }
    if (wanted_kind < 0) std::abort();
    wanted_number = std::atol(colon + 1);
  }
  void* first = nullptr;
  ::backtrace(&first, 1);  // its first call loads a library
  is_first_thread = true;
  counting = true;
  const int status = program_main(argc, argv, environment);
  counting = false;
  for (int kind = 0; kind < kNumKinds && log_descriptor >= 0; ++kind)
    ::dprintf(log_descriptor, "%s %ld\nother-%s %ld\n", kNames[kind], numbers[kind].load(), kNames[kind],
              other_numbers[kind].load());
  return status;
}

bool is_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

template <class Result>
Result failed(int error, Result result) {
  errno = error;
  return result;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*end)(), void* stack) {
  program_main = main;
  return real<int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*)>(
      "__libc_start_main")(counted_main, argc, argv, init, fini, end, stack);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  static const auto call = real<ssize_t (*)(int, const void*, std::size_t)>("write");
  return fails(kWrite) ? failed<ssize_t>(ENOSPC, -1) : call(descriptor, bytes, size);
}
ssize_t writev(int descriptor, const iovec* parts, int number) {
  static const auto call = real<ssize_t (*)(int, const iovec*, int)>("writev");
  return fails(kWrite) ? failed<ssize_t>(ENOSPC, -1) : call(descriptor, parts, number);
}
ssize_t pwrite(int descriptor, const void* bytes, std::size_t size, off_t offset) {
  static const auto call = real<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite");
  return fails(kWrite) ? failed<ssize_t>(ENOSPC, -1) : call(descriptor, bytes, size, offset);
}
ssize_t pwrite64(int descriptor, const void* bytes, std::size_t size, off64_t offset) {
  return pwrite(descriptor, bytes, size, offset);
}
std::size_t fwrite(const void* bytes, std::size_t size, std::size_t number, FILE* file) {
  static const auto call = real<std::size_t (*)(const void*, std::size_t, std::size_t, FILE*)>("fwrite");
  return fails(kWrite) ? failed<std::size_t>(ENOSPC, 0) : call(bytes, size, number, file);
}
int ftruncate(int descriptor, off_t size) {
  static const auto call = real<int (*)(int, off_t)>("ftruncate");
  return fails(kWrite) ? failed(EIO, -1) : call(descriptor, size);
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

/// Of files: of a folder or a pipe it may fail.
int fsync(int descriptor) {
  static const auto call = real<int (*)(int)>("fsync");
  return is_file(descriptor) && fails(kSync) ? failed(EIO, -1) : call(descriptor);
}
int fdatasync(int descriptor) {
  static const auto call = real<int (*)(int)>("fdatasync");
  return is_file(descriptor) && fails(kSync) ? failed(EIO, -1) : call(descriptor);
}

int rename(const char* from, const char* to) {
  static const auto call = real<int (*)(const char*, const char*)>("rename");
  return fails(kRename) ? failed(EACCES, -1) : call(from, to);
}
int link(const char* from, const char* to) {
  static const auto call = real<int (*)(const char*, const char*)>("link");
  return fails(kRename) ? failed(EXDEV, -1) : call(from, to);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  static const auto call = real<int (*)(int, const char*, int, const char*, int)>("linkat");
  return fails(kRename) ? failed(EXDEV, -1) : call(from_folder, from, to_folder, to, flags);
}

ssize_t read(int descriptor, void* bytes, std::size_t size) {
  static const auto call = real<ssize_t (*)(int, void*, std::size_t)>("read");
  return fails(kRead) ? failed<ssize_t>(EIO, -1) : call(descriptor, bytes, size);
}
ssize_t readv(int descriptor, const iovec* parts, int number) {
  static const auto call = real<ssize_t (*)(int, const iovec*, int)>("readv");
  return fails(kRead) ? failed<ssize_t>(EIO, -1) : call(descriptor, parts, number);
}
ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  static const auto call = real<ssize_t (*)(int, void*, std::size_t, off_t)>("pread");
  return fails(kRead) ? failed<ssize_t>(EIO, -1) : call(descriptor, bytes, size, offset);
}
ssize_t pread64(int descriptor, void* bytes, std::size_t size, off64_t offset) {
  return pread(descriptor, bytes, size, offset);
}

int open(const char* path, int flags, ...) {
  static const auto call = real<int (*)(const char*, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
  va_end(more);
  return fails(kOpen) ? failed(EMFILE, -1) : call(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  static const auto call = real<FILE* (*)(const char*, const char*)>("fopen");
  return fails(kOpen) ? failed<FILE*>(EMFILE, nullptr) : call(path, mode);
}
FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

/// Of files; memory of its own a library gets by allocations.
void* mmap(void* address, std::size_t size, int protection, int flags, int descriptor, off_t offset) {
  static const auto call = real<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
  if (descriptor >= 0 && fails(kMap)) return failed(ENOMEM, MAP_FAILED);
  return call(address, size, protection, flags, descriptor, offset);
}
void* mmap64(void* address, std::size_t size, int protection, int flags, int descriptor, off64_t offset) {
  return mmap(address, size, protection, flags, descriptor, offset);
}

void* malloc(std::size_t size) {
  const bool short_of_memory = fails(kAllocation) || (wanted_kind == kScanner && counting &&
                                                      is_scanner(__builtin_return_address(0)) && fails(kScanner));
  return short_of_memory ? failed<void*>(ENOMEM, nullptr) : __libc_malloc(size);
}
void* calloc(std::size_t number, std::size_t size) {
  return fails(kAllocation) ? failed<void*>(ENOMEM, nullptr) : __libc_calloc(number, size);
}
void* realloc(void* memory, std::size_t size) {
  return fails(kAllocation) ? failed<void*>(ENOMEM, nullptr) : __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails(kAllocation) ? failed<void*>(ENOMEM, nullptr) : __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) { return aligned_alloc(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = aligned_alloc(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
