/// Fuzzes the values of the command line: any words give options within their bounds, or an InputError.
///
/// The first byte chooses between a whole command line, one word a line, of the verb that has most kinds of options, and the
/// values that the program reads itself.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "common.hpp"
#include "docking/options.hpp"
#include "docking/targets.hpp"
#include "require.hpp"
#include "seeded_mutator.hpp"

namespace {

using namespace quarry;
using test::require;

constexpr const char* kSeeds[] = {
    "dock\n-r\nr.pdb\nl.sdf\n--center\n1,2,3\n--size\n4,5,6\n--shard\n2/5\n--threads\n2\n--device\nhost\n",
    "2.5%",
    "2/5",
    "1,2,3\n4,5,6e1",
    "dock\na\nb\n--find-pockets\n--poses=3\n--effort\nquick\n--seed\n7\n--device-memory\n1\n--pose-budget\n100\n",
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void check_shard(Index shard, Index num_shards) { require(shard >= 0 && shard < num_shards); }

void read_command_line(std::vector<std::string> words) {
  // A line of main has no NUL in its words.
  for (std::string& word : words) word = word.c_str();
  cli::Program program{
      .name = "quarry", .purpose = "p", .version = "v", .exit_status = "e", .description = {}, .verbs = {}};
  cli::DockOptions options;
  options.add_to(program.verbs.emplace_back("dock", "d"));
  if (!cli::parse(program, words)) return;
  options.check();
  check_shard(options.shard, options.num_shards);
  require(options.top >= 0 && options.dock.threads >= 0 && options.dock.threads <= 4096);
  require(options.dock.search.num_poses >= 1 && options.dock.device_bytes >= 0);
  require(options.scoring == "vina" || options.scoring == "vinardo");
}

void read_box(const std::vector<std::string>& lines) {
  if (lines.size() < 2) return;
  const dock::Box box = cli::parse_box(lines[0], lines[1], "--");
  require(box.size.x > 0 && box.size.y > 0 && box.size.z > 0);
  require(std::isfinite(box.center.x) && std::isfinite(box.center.y) && std::isfinite(box.center.z));
}

}  // namespace

test::Seed test::make_seed(unsigned number) {
  const std::uint8_t seed = number % std::size(kSeeds);
  return {static_cast<std::uint8_t>(seed % 4), kSeeds[seed]};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto is_plain = [&](const char* letters) { return text.find_first_not_of(letters) == std::string::npos; };
  try {
    switch (data[0] % 4) {
      case 0:
        read_command_line(lines_of(text));
        break;
      case 1: {
        const double percent = cli::parse_percent("--verify", text);
        require(percent >= 0 && percent <= 100 && is_plain("0123456789.eE+-%"));
        break;
      }
      case 2: {
        const auto [shard, num_shards] = cli::parse_shard(text);
        check_shard(shard, num_shards);
        require(is_plain("0123456789/"));
        break;
      }
      default:
        read_box(lines_of(text));
    }
  } catch (const InputError&) {
  } catch (const DeviceError&) {
  }
  return 0;
}
