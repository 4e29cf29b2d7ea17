#include "cluster/shard_files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include "cluster/claims.hpp"
#include "quarry/files/ledger.hpp"
#include "util/json.hpp"

namespace quarry::cluster {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw InputError(fmt::format("'{}' {}: remove that file, and do the shard again", path.string(), why));
}

}  // namespace

std::filesystem::path ShardFolder::record_path(Index shard) const { return folder / (shard_name(shard) + ".json"); }

std::filesystem::path ShardFolder::text_path(Index shard, std::size_t output) const {
  return folder / fmt::format("{}.{}.zst", shard_name(shard), outputs[output]);
}

ShardRecord ShardFolder::read(Index shard) const {
  const auto path = record_path(shard);
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ShardRecord record;
  try {
    const Json json = parse_json(text);
    if (json.at("job").get<std::string>() != job || json.at("shard").get<Index>() != shard)
      refuse(path, "is a shard of another job");
    for (const auto& text : json.at("texts")) record.texts.push_back({text.at("bytes"), text.at("file")});
    record.numbers = json.at("numbers");
  } catch (const Json::exception&) {
    refuse(path, "is damaged");
  }
  if (record.texts.size() != outputs.size()) refuse(path, "is damaged");
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (record.texts[i].bytes == 0) continue;
    std::error_code error;
    const auto text = text_path(shard, i);
    if (!std::filesystem::is_regular_file(text, error) || std::filesystem::file_size(text, error) == 0 ||
        identity_of_file(text) != record.texts[i].checksum)
      refuse(path, fmt::format("does not fit '{}', which is missing or damaged", text.string()));
  }
  return record;
}

ShardFiles::ShardFiles(const ShardFolder& place, Index shard) : place_(place), shard_(shard) {
  const auto folder = place.record_path(shard).parent_path();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SystemError(fmt::format("cannot write '{}': {}", folder.string(), error.message()));
  files_.resize(place.outputs.size());
  record_.texts.resize(place.outputs.size());
}

void ShardFiles::write(int output, std::string_view text) {
  if (text.empty()) return;
  if (!files_[output]) files_[output].emplace(place_.text_path(shard_, output));
  files_[output]->write(text);
  record_.texts[output].bytes += static_cast<Index>(text.size());
}

/// A shard that cannot be finished leaves no text, unless another process has just finished it.
void ShardFiles::finish() {
  try {
    write_record();
  } catch (...) {
    std::error_code ignored;
    for (std::size_t i = 0; i < files_.size(); ++i)
      if (!std::filesystem::exists(place_.record_path(shard_), ignored))
        std::filesystem::remove(place_.text_path(shard_, i), ignored);
    throw;
  }
}

void ShardFiles::write_record() {
  Json texts = Json::array();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    auto& [bytes, checksum] = record_.texts[i];
    if (files_[i]) {
      files_[i]->finish_at_once();
      checksum = identity_of_file(place_.text_path(shard_, i));
    }
    texts.push_back({{"output", place_.outputs[i]}, {"bytes", bytes}, {"file", checksum}});
  }
  const Json json = {{"job", place_.job}, {"shard", shard_}, {"texts", texts}, {"numbers", record_.numbers}};
  Output record(place_.record_path(shard_));
  record.write(json_text(json, 1) + '\n');
  record.finish_at_once();
}

}  // namespace quarry::cluster
