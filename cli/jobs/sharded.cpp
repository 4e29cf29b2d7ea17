#include "jobs/sharded.hpp"

#include <fmt/format.h>

#include <charconv>
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

std::string text_of(const std::vector<Index>& numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }

std::vector<Index> numbers_of(const std::string& text) {
  std::vector<Index> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    Index number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    at = after < end && *after == ',' ? after + 1 : end;
  }
  return numbers;
}

void write_merged(const Job& job, int output, const std::string& path) {
  TableOutput file(path);
  job.read(output, [&](std::string_view text) { file.write(text); });
  file.finish();
}

}  // namespace quarry::cli
