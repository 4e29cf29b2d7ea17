/// Graphs from a text. Every row comes from its number alone, so that any thread may make any of them.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "exec/parallel.hpp"
#include "graph/graph_impl.hpp"
#include "graph/graph_rows.hpp"
#include "quarry/error.hpp"
#include "util/memory/memory_budget.hpp"
#include "util/random.hpp"

namespace quarry {
namespace {

/// The text that asks for a graph: its fields, and what is said where they are wrong.
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
  /// The graph with the edges `row(0)`, `row(1)`, ...; a pair of equal vertices is no edge.
  /// @param num_kept  at most this many rows are edges
  template <class Row>
  Graph make(Index num_vertices, Index num_rows, Index num_kept, int threads, Row&& row) const {
    MemoryBudget(0).require(build_bytes(num_vertices, num_kept, false), fmt::format("the graph '{}'", text_));
    std::vector<EdgeBatch> batches((num_rows + kRowsPerBatch - 1) / kRowsPerBatch);
    parallel_for_each(threads, std::ssize(batches), [&](Index batch) {
      batches[batch].ends.reserve(2 * kRowsPerBatch);
      for (Index i = batch * kRowsPerBatch; i < std::min(num_rows, (batch + 1) * kRowsPerBatch); ++i) {
        const auto [from, to] = row(i);
        if (from != to) batches[batch].add(from, to);
      }
    });
    GraphRows rows = build_rows(num_vertices, std::move(batches), false, threads);
    GraphColumns columns;
    columns.offsets = std::move(rows.offsets);
    columns.neighbours = std::move(rows.neighbours);
    return GraphAccess::make(std::move(columns));
  }

 private:
  std::string text_;
  std::vector<std::string> fields_;
};

using Ends = std::pair<std::uint64_t, std::uint64_t>;

constexpr Index kMost = std::numeric_limits<Index>::max() / 256;

/// A permutation of the numbers below 2^bits: a few rounds of operations that can each be undone.
class Shuffle {
 public:
  Shuffle(int bits, std::uint64_t seed) : bits_(bits), mask_((std::uint64_t{1} << bits) - 1), seed_(seed) {}
  std::uint64_t operator()(std::uint64_t x) const {
    const int half = (bits_ + 1) / 2;
    for (std::uint64_t round = 0; round < 4; ++round) {
      x = (x * (mixed_bits(seed_ + 2 * round) | 1) + mixed_bits(seed_ + 2 * round + 1)) & mask_;
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
  const int scale = request.number(request.field(1), "SCALE", 1, 31);
  const Index factor = request.number(request.field(2), "EDGEFACTOR", 1, Index{1} << 20);
  const std::uint64_t seed = request.number(request.field(3), "SEED", 0, kMost);
  constexpr std::uint64_t kA = 0.57 * 0x1p32, kAB = 0.76 * 0x1p32, kABC = 0.95 * 0x1p32;
  const Shuffle shuffle(scale, mixed_bits(seed));
  const std::uint64_t stream = mixed_bits(seed ^ 0x5eed);
  return request.make(Index{1} << scale, factor << scale, factor << scale, threads, [=](std::uint64_t i) {
    std::uint64_t from = 0, to = 0, state = mixed_bits(stream ^ mixed_bits(i));
    for (int bit = 0; bit < scale; ++bit) {
      state = mixed_bits(state);
      const std::uint64_t draw = state >> 32;
      from = 2 * from + (draw >= kAB);
      to = 2 * to + ((draw >= kA && draw < kAB) || draw >= kABC);
    }
    return Ends(shuffle(from), shuffle(to));
  });
}

/// Pair p of the pairs (low, high) with low < high, in order of high.
Ends pair_of(std::uint64_t p) {
  std::uint64_t high = (1 + std::sqrt(1 + 8.0 * p)) / 2;
  while (high * (high - 1) / 2 > p) --high;  // the root is rounded
  while (high * (high + 1) / 2 <= p) ++high;
  return {p - high * (high - 1) / 2, high};
}

/// The first M pairs in a shuffled order of all pairs, which are distinct by themselves.
Graph make_er(const Request& request, int threads) {
  request.expect_fields(3, "er:N:M:SEED");
  const Index n = request.number(request.field(1), "N", 0, kMaxVertices);
  const Index num_pairs = n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
  const Index m = request.number(request.field(2), "M", 0, num_pairs);
  const std::uint64_t seed = request.number(request.field(3), "SEED", 0, kMost);
  const std::uint64_t pairs = num_pairs;
  const Shuffle shuffle(std::max<int>(1, std::bit_width(pairs)), mixed_bits(seed));
  return request.make(n, m, m, threads, [=](std::uint64_t i) {
    std::uint64_t p = shuffle(i);
    while (p >= pairs) p = shuffle(p);  // along its cycle to the next number below: still a permutation
    return pair_of(p);
  });
}

Graph make_grid(const Request& request, int threads) {
  request.expect_fields(2, "grid:W:H");
  const Index width = request.number(request.field(1), "W", 1, kMaxVertices);
  const Index height = request.number(request.field(2), "H", 1, kMaxVertices / width);
  return request.make(width * height, 2 * width * height, 2 * width * height, threads, [=](std::uint64_t i) {
    const std::uint64_t w = width, h = height, v = i / 2;
    if (i % 2 == 0) return Ends(v, (v + 1) % w == 0 ? v : v + 1);  // to the right, except from the last column
    return Ends(v, v / w + 1 == h ? v : v + w);
  });
}

Graph make_complete(const Request& request, int threads) {
  request.expect_fields(1, "complete:N");
  const Index n = request.number(request.field(1), "N", 1, Index{1} << 24);
  return request.make(n, n * (n - 1) / 2, n * (n - 1) / 2, threads, pair_of);
}

/// The stars to multiply, and where each has its loop.
struct Theory {
  std::vector<Index> leaves;
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
    theory.leaves.push_back(leaves);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (theory.leaves.empty()) request.refuse("it is written theory:N1-N2-...[-B1k|-B2k]");
  return theory;
}

/// An arc of the product is an arc of each star. A star of n leaves has 2 n of them, hub to leaf and back, and its
/// loop.
Graph make_theory(const Request& request, int threads) {
  request.expect_fields(1, "theory:N1-N2-...[-B1k|-B2k]");
  const Theory theory = parse_theory(request);
  const Index loops = theory.loop == Theory::Loop::none ? 0 : 1;
  const std::uint64_t loop_at = theory.loop == Theory::Loop::leaf ? 1 : 0;
  Index vertices = 1, arcs = 1;
  for (const Index leaves : theory.leaves) {
    vertices *= leaves + 1;
    if (arcs > kMost / (2 * leaves + loops)) request.refuse("it has too many edges");
    arcs *= 2 * leaves + loops;
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
