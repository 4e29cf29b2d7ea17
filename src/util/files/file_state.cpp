#include "util/files/file_state.hpp"

#include <sys/stat.h>

namespace quarry {

FileState state_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return {};
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

}  // namespace quarry
