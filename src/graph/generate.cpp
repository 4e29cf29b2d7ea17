/// Graphs from a text. Every row comes from its number alone, so that any thread may make any of them.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "exec/parallel.hpp"
#include "graph/graph_impl.hpp"
#include "graph/graph_rows.hpp"
#include "graph/memory_budget.hpp"

namespace quarry {
namespace {

/// A well mixed number from any number (Steele, Lea, Flood, OOPSLA 2014: the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The fields of a text, and the complaints about it.
class Request {
 public:
  explicit Request(std::string_view text) : text_(text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(':', begin), text.size());
      fields_.emplace_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  const std::string& kind() const { return fields_[0]; }
  const std::string& field(std::size_t i) const { return fields_[i]; }
  void expect_fields(std::size_t count, const char* form) const {
    if (fields_.size() != count + 1) refuse(fmt::format("it is written {}", form));
  }
  Index number(std::string_view field, const char* what, Index lowest, Index highest) const {
    Index value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (field.empty() || error != std::errc() || end != field.data() + field.size() || value < lowest ||
        value > highest) {
      refuse(fmt::format("{} is '{}', not a whole number from {} to {}", what, field, lowest, highest));
    }
    return value;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("cannot make the graph '{}': {}", text_, why));
  }
  /// `row(i)` is a pair of vertices, of which equal ones are left out; at most `num_kept` of the rows are not.
  template <class Row>
  Graph make(Index num_vertices, Index num_rows, Index num_kept, int threads, Row&& row) const {
    MemoryBudget(0).require(build_bytes(num_vertices, num_kept, false), fmt::format("the graph '{}'", text_));
    std::vector<EdgeBlock> blocks(static_cast<std::size_t>((num_rows + kBlockRows - 1) / kBlockRows));
    parallel_for_range(threads, std::ssize(blocks), 1, [&](Index begin, Index end) {
      for (Index block = begin; block < end; ++block) {
        auto& ends = blocks[static_cast<std::size_t>(block)].ends;
        ends.reserve(2 * static_cast<std::size_t>(kBlockRows));
        for (Index i = block * kBlockRows; i < std::min(num_rows, (block + 1) * kBlockRows); ++i) {
          const auto [from, to] = row(static_cast<std::uint64_t>(i));
          if (from == to) continue;
          ends.push_back(static_cast<std::uint32_t>(from));
          ends.push_back(static_cast<std::uint32_t>(to));
        }
      }
    });
    GraphRows rows = build_rows(num_vertices, std::move(blocks), false, threads);
    GraphColumns columns;
    columns.offsets = std::move(rows.offsets);
    columns.neighbours = std::move(rows.neighbours);
    return Graph(std::make_unique<Graph::Impl>(std::move(columns)));
  }

 private:
  std::string text_;
  std::vector<std::string> fields_;
};

using Ends = std::pair<std::uint64_t, std::uint64_t>;

constexpr Index kMost = std::numeric_limits<Index>::max() / 256;

/// Another order of the numbers below 2^bits: a few rounds of steps that can each be undone.
class Shuffle {
 public:
  Shuffle(int bits, std::uint64_t seed) : bits_(bits), mask_((std::uint64_t{1} << bits) - 1), seed_(seed) {}
  std::uint64_t operator()(std::uint64_t x) const {
    const int half = (bits_ + 1) / 2;
    for (std::uint64_t round = 0; round < 4; ++round) {
      x = (x * (mixed(seed_ + 2 * round) | 1) + mixed(seed_ + 2 * round + 1)) & mask_;
      if (bits_ > 1) x ^= x >> half;
    }
    return x;
  }

 private:
  int bits_;
  std::uint64_t mask_, seed_;
};

/// One quadrant per bit of the two ends, chosen with Graph500's probabilities in units of 2^-32.
Graph make_rmat(const Request& request, int threads) {
  request.expect_fields(3, "rmat:SCALE:EDGEFACTOR:SEED");
  const auto scale = static_cast<int>(request.number(request.field(1), "SCALE", 1, 31));
  const Index factor = request.number(request.field(2), "EDGEFACTOR", 1, Index{1} << 20);
  const auto seed = static_cast<std::uint64_t>(request.number(request.field(3), "SEED", 0, kMost));
  constexpr auto kA = static_cast<std::uint64_t>(0.57 * 0x1p32), kAB = static_cast<std::uint64_t>(0.76 * 0x1p32),
                 kABC = static_cast<std::uint64_t>(0.95 * 0x1p32);
  const Shuffle shuffle(scale, mixed(seed));
  const std::uint64_t stream = mixed(seed ^ 0x5eed);
  return request.make(Index{1} << scale, factor << scale, factor << scale, threads, [=](std::uint64_t i) {
    std::uint64_t from = 0, to = 0, state = mixed(stream ^ mixed(i));
    for (int bit = 0; bit < scale; ++bit) {
      state = mixed(state);
      const std::uint64_t draw = state >> 32;
      from = 2 * from + (draw >= kAB);
      to = 2 * to + ((draw >= kA && draw < kAB) || draw >= kABC);
    }
    return Ends(shuffle(from), shuffle(to));
  });
}

/// The pair with number p, of the pairs (low, high) with low < high in order of high.
Ends pair_of(std::uint64_t p) {
  auto high = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(p))) / 2);
  while (high * (high - 1) / 2 > p) --high;  // the root is rounded
  while (high * (high + 1) / 2 <= p) ++high;
  return {p - high * (high - 1) / 2, high};
}

/// The first M pairs in a shuffled order of all: distinct without looking.
Graph make_er(const Request& request, int threads) {
  request.expect_fields(3, "er:N:M:SEED");
  const Index n = request.number(request.field(1), "N", 0, kMaxVertices);
  const Index num_pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  const Index m = request.number(request.field(2), "M", 0, num_pairs);
  const auto seed = static_cast<std::uint64_t>(request.number(request.field(3), "SEED", 0, kMost));
  const auto pairs = static_cast<std::uint64_t>(num_pairs);
  const Shuffle shuffle(std::max(1, static_cast<int>(std::bit_width(pairs))), mixed(seed));
  return request.make(n, m, m, threads, [=](std::uint64_t i) {
    std::uint64_t p = shuffle(i);
    while (p >= pairs) p = shuffle(p);  // follows the cycle until it comes back below: still one to one
    return pair_of(p);
  });
}

Graph make_grid(const Request& request, int threads) {
  request.expect_fields(2, "grid:W:H");
  const Index width = request.number(request.field(1), "W", 1, kMaxVertices);
  const Index height = request.number(request.field(2), "H", 1, kMaxVertices / width);
  return request.make(width * height, 2 * width * height, 2 * width * height, threads, [=](std::uint64_t i) {
    const auto w = static_cast<std::uint64_t>(width), v = i / 2;
    if (i % 2 == 0) return Ends(v, (v + 1) % w == 0 ? v : v + 1);  // to the right, but for the last column
    return Ends(v, v / w + 1 == static_cast<std::uint64_t>(height) ? v : v + w);
  });
}

Graph make_complete(const Request& request, int threads) {
  request.expect_fields(1, "complete:N");
  const Index n = request.number(request.field(1), "N", 1, Index{1} << 24);
  return request.make(n, n * (n - 1) / 2, n * (n - 1) / 2, threads, pair_of);
}

/// Stars whose product is wanted, and where each has its loop.
struct Theory {
  std::vector<std::uint64_t> leaves;
  enum class Loop { none, hub, leaf } loop = Loop::none;
};

Theory parse_theory(const Request& request) {
  std::string_view rest = request.field(1);
  Theory theory;
  if (rest.ends_with("-B1k")) theory.loop = Theory::Loop::hub;
  if (rest.ends_with("-B2k")) theory.loop = Theory::Loop::leaf;
  if (theory.loop != Theory::Loop::none) rest.remove_suffix(4);
  Index vertices = 1;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('-'), rest.size());
    const Index leaves = request.number(rest.substr(0, end), "a number of leaves", 1, kMaxVertices / vertices - 1);
    vertices *= leaves + 1;
    theory.leaves.push_back(static_cast<std::uint64_t>(leaves));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (theory.leaves.empty()) request.refuse("it is written theory:N1-N2-...[-B1k|-B2k]");
  return theory;
}

/// An arc of the product is an arc of each star: 2 n of them, hub to leaf and back, then the loop.
Graph make_theory(const Request& request, int threads) {
  request.expect_fields(1, "theory:N1-N2-...[-B1k|-B2k]");
  const Theory theory = parse_theory(request);
  const std::uint64_t loops = theory.loop == Theory::Loop::none ? 0 : 1;
  const std::uint64_t loop_at = theory.loop == Theory::Loop::leaf ? 1 : 0;
  Index vertices = 1, arcs = 1;
  for (const std::uint64_t leaves : theory.leaves) {
    vertices *= static_cast<Index>(leaves + 1);
    if (arcs > kMost / static_cast<Index>(2 * leaves + loops)) request.refuse("it has too many edges");
    arcs *= static_cast<Index>(2 * leaves + loops);
  }
  return request.make(vertices, arcs, arcs / 2, threads, [&](std::uint64_t arc) {
    std::uint64_t from = 0, to = 0;
    for (const std::uint64_t leaves : theory.leaves) {
      const std::uint64_t choice = arc % (2 * leaves + loops), leaf = choice / 2 + 1;
      arc /= 2 * leaves + loops;
      const bool loop = choice == 2 * leaves;
      from = from * (leaves + 1) + (loop ? loop_at : choice % 2 == 0 ? 0 : leaf);
      to = to * (leaves + 1) + (loop ? loop_at : choice % 2 == 0 ? leaf : 0);
    }
    return from < to ? Ends(from, to) : Ends(0, 0);  // the other arc of an edge is left out
  });
}

}  // namespace

Graph generate_graph(std::string_view text, int threads) {
  const Request request(text);
  if (request.kind() == "rmat") return make_rmat(request, threads);
  if (request.kind() == "er") return make_er(request, threads);
  if (request.kind() == "grid") return make_grid(request, threads);
  if (request.kind() == "complete") return make_complete(request, threads);
  if (request.kind() == "theory") return make_theory(request, threads);
  request.refuse("there are rmat:..., er:..., grid:..., complete:... and theory:...");
}

}  // namespace quarry
