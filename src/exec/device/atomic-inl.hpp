/// Changes of one number by several lanes of a device at once. A kernel on the host has one lane, so there the plain
/// change is enough.
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

}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();
