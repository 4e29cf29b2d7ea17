#include "jobs/sharded.hpp"

#include <cstdlib>

#include "output/tables/table_output.hpp"
#include "output/text.hpp"

namespace quarry::cli {

std::string format_of_output(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension.empty() ? ".tsv" : extension;
}

Index sum_of(const std::vector<ShardRecord>& shards, const std::string& name) {
  Index sum = 0;
  for (const ShardRecord& shard : shards)
    if (const auto number = shard.numbers.find(name); number != shard.numbers.end())
      sum += std::strtoll(number->second.c_str(), nullptr, 10);
  return sum;
}

void write_merged(const Job& job, int output, const std::string& path) {
  TableOutput file(path);
  job.read(output, [&](std::string_view text) { file.write(text); });
  file.finish();
}

}  // namespace quarry::cli
