#include "bench/work_folder.hpp"

#include <unistd.h>

#include <cstdlib>

namespace quarry::bench {

namespace fs = std::filesystem;

std::string data_folder() {
  const char* folder = std::getenv("QUARRY_DATA");
  return folder != nullptr ? std::string(folder) : (fs::path(QUARRY_SOURCE_DIR).parent_path() / "shared/data").string();
}

WorkFolder::WorkFolder() {
  std::string name = (fs::temp_directory_path() / "quarry-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw SystemError("cannot make a folder like " + name);
  path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Index index_file(const std::string& path, const std::string& packed_path, int threads,
                 const std::vector<similar::Definition>& stored) {
  ReadOptions options;
  DistinctIds ids;
  options.distinct_ids = &ids;
  options.threads = threads;
  options.stereo = false;
  options.similar_section = [&](auto smiles) { return similar::pack_section(smiles, stored); };
  MoleculeReader reader(path, options);
  LibraryWriter writer(packed_path, reader.provenance());
  while (const auto library = reader.next()) writer.append(*library);
  if (ids.all_differ()) writer.set_distinct_ids();
  writer.finish();
  return reader.report().rows;
}

}  // namespace quarry::bench
