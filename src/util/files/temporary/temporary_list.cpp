/// Fixed slots and lock-free flags only: a handler may run at any instruction (POSIX, async-signal-safety).
#include "util/files/temporary/temporary_list.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>

#include "util/files/temporary/temporary_file.hpp"

namespace quarry {
namespace {

constexpr int kNumSlots = 64;
constexpr Index kNameBytes = 4096;  // PATH_MAX of Linux

enum class State { free, filling, filled };

struct Slot {
  std::atomic<State> state{State::free};
  std::array<char, kNameBytes> name{};
};
static_assert(std::atomic<State>::is_always_lock_free);

// The one piece of global state: a handler can reach nothing else.
std::array<Slot, kNumSlots> slots;

extern "C" void remove_and_exit(int signal) {
  remove_listed_temporaries();
  ::_exit(128 + signal);
}

}  // namespace

int register_temporary(const std::string& name) {
  if (std::ssize(name) >= kNameBytes) throw CapacityError("bytes of a file name", kNameBytes - 1, std::ssize(name));
  for (int index = 0; index < kNumSlots; ++index) {
    Slot& slot = slots[index];
    State expected = State::free;
    if (!slot.state.compare_exchange_strong(expected, State::filling)) continue;
    std::memcpy(slot.name.data(), name.c_str(), name.size() + 1);
    slot.state.store(State::filled);
    return index;
  }
  throw CapacityError("files written at once", kNumSlots, kNumSlots + 1);
}

void release_temporary(int slot) { slots[slot].state.store(State::free); }

void remove_listed_temporaries() {
  for (const Slot& slot : slots) {
    if (slot.state.load() == State::filled) ::unlink(slot.name.data());
  }
}

void remove_temporaries_on_signal() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = remove_and_exit;
    sigfillset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace quarry
