/// Where a bench finds its data and keeps its files.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "quarry/library.hpp"
#include "quarry/similar.hpp"

namespace quarry::bench {

/// A folder for libraries, removed at the end.
class WorkFolder {
 public:
  WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// The folder QUARRY_DATA, else ../shared/data beside the repository; perhaps not there.
std::string data_folder();

/// Indexes a file of molecules, as `quarry index` does, with fingerprints by these definitions.
/// @return  its rows, rejected ones included
Index index_file(const std::string& path, const std::string& packed_path, int threads,
                 const std::vector<similar::Definition>& stored = {similar::Definition{}});

}  // namespace quarry::bench
