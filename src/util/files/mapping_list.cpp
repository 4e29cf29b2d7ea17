/// The list only grows, and its flags are lock-free: a handler may run at any instruction (POSIX, async-signal-safety).
#include "util/files/mapping_list.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>

#include "quarry/error.hpp"
#include "util/files/temporary/temporary_list.hpp"

namespace quarry {
namespace {

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<MappingEntry*>::is_always_lock_free);

// State of the whole process: a handler can reach nothing else, and a file may be closed before the run has ended.
std::atomic<MappingEntry*> first_entry{nullptr};
std::mutex changed_mutex;
std::string changed_path;  // of a closed file; empty: none
struct sigaction before_bus_error, before_fault;

MappingEntry& take_entry() {
  for (MappingEntry* entry = first_entry.load(); entry != nullptr; entry = entry->next) {
    bool taken = false;
    if (entry->taken.compare_exchange_strong(taken, true)) return *entry;
  }
  auto* const entry = new MappingEntry;
  entry->taken = true;
  entry->next = first_entry.load();
  while (!first_entry.compare_exchange_weak(entry->next, entry)) {
  }
  return *entry;
}

void print(std::string_view text) {
  // Nothing can be done where standard error takes no bytes.
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

[[noreturn]] void end_because_of(const MappingEntry& entry, std::string_view why) {
  print("quarry: ");
  print({entry.path.data(), entry.path.size()});
  print(": ");
  print(why);
  print("\n");
  remove_listed_temporaries();
  constexpr int kError = 2;
  ::_exit(kError);
}

extern "C" void explain_fault(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const MappingEntry* entry = first_entry.load(); entry != nullptr; entry = entry->next) {
    if (!entry->listed.load()) continue;
    if (!entry->is_unchanged()) end_because_of(*entry, kChangedSinceOpened);
    const auto begin = reinterpret_cast<std::uintptr_t>(entry->bytes.data());
    if (signal == SIGBUS && address >= begin && address - begin < entry->bytes.size()) {
      end_because_of(*entry, "a part of it cannot be read: look for errors of the disk");
    }
  }
  // The instruction runs again, and what happens is what would without this handler.
  ::sigaction(signal, signal == SIGBUS ? &before_bus_error : &before_fault, nullptr);
}

}  // namespace

MappingEntry& list_mapping(const std::string& path, std::span<const std::byte> bytes, int descriptor) {
  MappingEntry& entry = take_entry();
  entry.path = path;
  entry.bytes = bytes;
  entry.descriptor = descriptor;
  entry.opened = state_of(descriptor);
  entry.listed = true;
  return entry;
}

void close_mapping(MappingEntry& entry) noexcept {
  if (!entry.is_unchanged()) {
    const std::lock_guard lock(changed_mutex);
    changed_path.swap(entry.path);
  }
  entry.listed = false;
  ::close(entry.descriptor);
  entry.taken = false;
}

void check_all_mappings() {
  const auto refuse = [](const std::string& path) { throw InputError(path + ": " + kChangedSinceOpened); };
  {
    const std::lock_guard lock(changed_mutex);
    if (!changed_path.empty()) refuse(std::exchange(changed_path, {}));
  }
  for (const MappingEntry* entry = first_entry.load(); entry != nullptr; entry = entry->next) {
    if (entry->listed.load() && !entry->is_unchanged()) refuse(entry->path);
  }
}

void explain_faults_of_mappings() {
  struct sigaction action {};
  action.sa_sigaction = explain_fault;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before_bus_error);
  ::sigaction(SIGSEGV, &action, &before_fault);
}

}  // namespace quarry
