/// Changes of one number by several lanes of a device at once, and words by which teams, and the host, tell each other how
/// far they are. A kernel on the host has one lane, so there the plain change is enough.
#include <cstdint>

#include "exec/macros.hpp"

#if defined(QUARRY_SYCL)
#include <sycl/sycl.hpp>
#elif defined(QUARRY_EMULATED)
#include <atomic>
#endif

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {

#ifdef QUARRY_SYCL
using AtomicWord = sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;
#elif defined(QUARRY_EMULATED)
using AtomicWord = std::atomic_ref<std::uint64_t>;
#endif

/// `value += amount`. @return what it was
QUARRY_HD inline std::uint64_t fetch_add(std::uint64_t& value, std::uint64_t amount) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return atomicAdd(reinterpret_cast<unsigned long long*>(&value), amount);
#elif defined(QUARRY_SYCL) || defined(QUARRY_EMULATED)
  return AtomicWord(value).fetch_add(amount);
#else
  const std::uint64_t before = value;
  value += amount;
  return before;
#endif
}

/// `word ^= bits`. @return what it was
QUARRY_HD inline std::uint64_t fetch_xor(std::uint64_t& word, std::uint64_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return atomicXor(reinterpret_cast<unsigned long long*>(&word), bits);
#elif defined(QUARRY_SYCL) || defined(QUARRY_EMULATED)
  return AtomicWord(word).fetch_xor(bits);
#else
  const std::uint64_t before = word;
  word ^= bits;
  return before;
#endif
}

/// `word |= bits`. @return what it was
QUARRY_HD inline std::uint64_t fetch_or(std::uint64_t& word, std::uint64_t bits) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return atomicOr(reinterpret_cast<unsigned long long*>(&word), bits);
#elif defined(QUARRY_SYCL) || defined(QUARRY_EMULATED)
  return AtomicWord(word).fetch_or(bits);
#else
  const std::uint64_t before = word;
  word |= bits;
  return before;
#endif
}

/// As fetch_add; and what a team wrote before it can be read by all who see the change.
QUARRY_HD inline std::uint64_t fetch_add_ordered(std::uint64_t& value, std::uint64_t amount) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __threadfence_system();
  const std::uint64_t before = fetch_add(value, amount);
  __threadfence_system();
  return before;
#else
  return fetch_add(value, amount);
#endif
}

/// A word that another team or the host has written with store_release; what they wrote before it can then be read.
QUARRY_HD inline std::uint64_t load_acquire(const std::uint64_t& word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  const std::uint64_t value = *static_cast<const volatile std::uint64_t*>(&word);
  __threadfence_system();
  return value;
#elif defined(QUARRY_EMULATED)
  return AtomicWord(const_cast<std::uint64_t&>(word)).load(std::memory_order_acquire);
#else
  return word;
#endif
}

/// A word that another team or the host may change, and nothing of what they wrote before. On a GPU a look costs less than
/// load_acquire, whose fence holds up the whole multiprocessor.
QUARRY_HD inline std::uint64_t peek(const std::uint64_t& word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return *static_cast<const volatile std::uint64_t*>(&word);
#else
  return load_acquire(word);
#endif
}

QUARRY_HD inline void store_release(std::uint64_t& word, std::uint64_t value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __threadfence_system();
  *static_cast<volatile std::uint64_t*>(&word) = value;
#elif defined(QUARRY_EMULATED)
  AtomicWord(word).store(value, std::memory_order_release);
  AtomicWord(word).notify_all();
#else
  word = value;
#endif
}

/// Lets time pass until a word that was `known` may be another.
QUARRY_HD inline void wait_for_change([[maybe_unused]] const std::uint64_t& word,
                                      [[maybe_unused]] std::uint64_t known) {
#if defined(__CUDA_ARCH__)
  __nanosleep(200);
#elif defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_s_sleep(8);
#elif defined(QUARRY_EMULATED)
  AtomicWord(const_cast<std::uint64_t&>(word)).wait(known, std::memory_order_acquire);
#endif
}

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();
