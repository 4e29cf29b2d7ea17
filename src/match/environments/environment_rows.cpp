#include "match/environments/environment_rows.hpp"

#include <algorithm>
#include <utility>

namespace quarry::match {
namespace {

bool has_bit(std::span<const std::uint64_t> bits, Index i) { return (bits[i / kWordBits] >> (i % kWordBits) & 1) != 0; }
template <class Visit>
void for_each_bit(std::span<const std::uint64_t> bits, Visit&& visit) {
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1) visit(w * kWordBits + lowest_bit(left));
  }
}

/// Room for the rows of a full table, but at most 64 MB: a system may limit memory that is asked for and not used.
/// PERF: an array that grows is copied, and touches twice as much.
void make_room(LargeVector<std::uint64_t>& rows, Index row_words) {
  constexpr Index kMostWords = Index{8} << 20;
  rows.reserve(std::min(max_environments * row_words, kMostWords));
}

}  // namespace

bool EvaluatedRows::find(std::span<const std::uint64_t> key, std::span<std::uint64_t> row) {
  const std::lock_guard lock(mutex_);
  const auto number = numbers_.find(key);
  if (number) std::ranges::copy(std::span(rows_).subspan(*number * row.size(), row.size()), row.begin());
  return number.has_value();
}

void EvaluatedRows::add(std::span<const std::uint64_t> key, std::span<const std::uint64_t> row) {
  const std::lock_guard lock(mutex_);
  if (numbers_.size() >= max_environments || numbers_.find(key)) return;
  if (rows_.empty()) make_room(rows_, std::ssize(row));
  rows_.insert(rows_.end(), row.begin(), row.end());
  numbers_.add(key);
}

EnvironmentRows::EnvironmentRows(const Plan& plan, EvaluatedRows* evaluated)
    : plan_(plan), evaluated_(evaluated), view_(plan.view()) {
  const auto demands = [&](std::size_t label) {
    return std::span(plan.rules.demands_of_bond).subspan(label * plan.rules.words(), plan.rules.words());
  };
  for (std::size_t label = 0; label < label_numbers_.size(); ++label) {
    std::uint8_t first = 0;
    while (!std::ranges::equal(demands(first), demands(label))) ++first;
    label_numbers_[label] = first;
  }
  for (const PlainClass& asked : plan.rules.classes) {
    largest_.num_nodes = std::max(largest_.num_nodes, asked.ring_system.num_nodes);
    largest_.num_cycles = std::max(largest_.num_cycles, asked.ring_system.num_cycles);
  }
  for (const std::uint32_t atom_class : plan.rules.class_list)
    listed_.push_back({plan.rules.classes[atom_class], atom_class});
}

void EnvironmentRows::clear() {
  numbers_.clear();
  rows_.clear();
}

/// PERF: the slot of the next key is asked for while that of this one is looked at; the table is larger than most caches.
void EnvironmentRows::add_numbers(const GraphBatchView& graphs, Index graph, std::vector<std::uint32_t>& numbers) {
  const Index first = graphs.graph_offsets[graph], end = graphs.graph_offsets[graph + 1];
  if (first != end) find_key(graphs, first, first, key_);
  for (Index node = first; node < end; ++node) {
    if (node + 1 < end) {
      find_key(graphs, first, node + 1, next_key_);
      numbers_.prefetch(next_key_.hash);
    }
    const auto [number, is_new] = numbers_.add(key_.words, key_.hash);
    if (is_new) add_row(graphs, first, node);
    numbers.push_back(number);
    std::swap(key_, next_key_);
  }
}

void EnvironmentRows::find_key(const GraphBatchView& graphs, Index first_node, Index node, Key& key) const {
  const RingSystem& ring_system = graphs.ring_systems[node];
  const std::uint64_t nodes = std::min(ring_system.num_nodes, largest_.num_nodes);
  key.words.assign({kind_numbers_[2 * graphs.node_labels[node]],
                    nodes << 32 | std::min(ring_system.num_cycles, largest_.num_cycles)});
  for (Index i = graphs.row_offsets[node]; i < graphs.row_offsets[node + 1]; ++i) {
    const std::uint32_t other = graphs.node_labels[first_node + graphs.neighbours[i]];
    key.words.push_back(std::uint64_t{label_numbers_[graphs.edge_labels[i]]} << 32 | kind_numbers_[2 * other + 1]);
  }
  std::sort(key.words.begin() + 2, key.words.end());
  key.hash = SequenceTable::hash_of(key.words);
}

void EnvironmentRows::add_row(const GraphBatchView& graphs, Index first_node, Index node) {
  neighbours_.clear();
  for (Index i = graphs.row_offsets[node]; i < graphs.row_offsets[node + 1]; ++i)
    neighbours_.push_back({graphs.edge_labels[i], graphs.node_labels[first_node + graphs.neighbours[i]]});
  if (rows_.empty()) make_room(rows_, view_.environment_words());
  const Index before = std::ssize(rows_);
  rows_.resize(before + view_.environment_words(), 0);
  const auto row = std::span(rows_).subspan(before);
  if (evaluated_ != nullptr && evaluated_->find(key_.words, row)) return;
  evaluate(graphs.node_labels[node], graphs.ring_systems[node], row);
  if (evaluated_ != nullptr) evaluated_->add(key_.words, row);
}

/// @param row  out, of zeros
void EnvironmentRows::evaluate(Index kind, const RingSystem& ring_system, std::span<std::uint64_t> row) {
  const PlainRules& rules = plan_.rules;
  find_demands();
  find_classes(kind, ring_system);
  const auto queries = row.subspan(view_.row_words());
  const auto set_mask = [&](Index mask) { row[word_of_mask(mask)] |= std::uint64_t{1} << bit_of_mask(mask); };
  for (std::size_t i = 0; i < rules.masks.size(); ++i) {
    if (has_bit(expressions_, rules.masks[i])) set_mask(i);
  }
  for_each_bit(classes_, [&](Index atom_class) {
    set_mask(view_.atom_class_mask() + atom_class);
    const Range rarest_of = rules.queries_of_class[atom_class];
    for (std::uint32_t q = rarest_of.first; q < rarest_of.last; ++q) set_bit(queries, rules.query_list[q]);
  });
}

void EnvironmentRows::find_demands() {
  const PlainRules& rules = plan_.rules;
  const Index words = rules.words();
  met_.assign(words, 0);
  for (Index w = 0; w < words; ++w) {
    std::uint64_t once = 0, twice = 0, thrice = 0, four_times = 0;
    for (const Neighbour& neighbour : neighbours_) {
      const std::uint64_t met =
          row_of_kind(neighbour.kind)[plan_.predicate_words() + w] & rules.demands_of_bond[neighbour.label * words + w];
      four_times |= thrice & met;
      thrice |= twice & met;
      twice |= once & met;
      once |= met;
    }
    const std::uint64_t* counts = rules.demands_of_count.data() + w;
    met_[w] =
        (once & counts[0]) | (twice & counts[words]) | (thrice & counts[2 * words]) | (four_times & counts[3 * words]);
  }
}

void EnvironmentRows::find_classes(Index kind, const RingSystem& ring_system) {
  const PlainRules& rules = plan_.rules;
  const Index num_predicates = std::ssize(plan_.predicates), num_programs = std::ssize(rules.programs);
  expressions_.assign(words_for(num_predicates + num_programs), 0);
  std::copy_n(row_of_kind(kind), plan_.predicate_words(), expressions_.begin());
  classes_.assign(words_for(view_.num_atom_classes), 0);
  const auto add = [&](Range classes) {
    for (std::uint32_t c = classes.first; c < classes.last; ++c) {
      if (holds(listed_[c].asked, ring_system)) set_bit(classes_, listed_[c].atom_class);
    }
  };
  for_each_bit(std::span(expressions_).first(plan_.predicate_words()),
               [&](Index predicate) { add(rules.classes_of_expression[predicate]); });
  for_each_bit(met_, [&](Index demand) { add(rules.classes_of_demand[demand]); });
  // A program comes after the classes of the bodies in it.
  for (Index i = 0; i < num_programs; ++i) {
    if (!has_bit(expressions_, rules.programs[i].predicate) || !run(rules.programs[i])) continue;
    set_bit(expressions_, num_predicates + i);
    add(rules.classes_of_expression[num_predicates + i]);
  }
}

bool EnvironmentRows::holds(const PlainClass& asked, const RingSystem& ring_system) const {
  if (!has_bit(expressions_, asked.expression)) return false;
  for (std::uint32_t d = asked.demands.first; d < asked.demands.last; ++d) {
    if (!has_bit(met_, plan_.rules.class_demands[d])) return false;
  }
  return ring_system.num_nodes >= asked.ring_system.num_nodes && ring_system.num_cycles >= asked.ring_system.num_cycles;
}

bool EnvironmentRows::run(const PlainProgram& program) const {
  const Index num_expressions = std::ssize(plan_.predicates) + std::ssize(plan_.rules.programs);
  std::uint64_t stack = 0;  // the top is the lowest bit
  for (std::uint32_t i = program.operations.first; i < program.operations.last; ++i) {
    const std::uint32_t operation = plan_.rules.operations[i];
    if (operation == kOpNot) {
      stack ^= 1;
    } else if (operation == kOpAnd) {
      stack = stack >> 1 & (stack | ~std::uint64_t{1});
    } else if (operation == kOpOr) {
      stack = stack >> 1 | (stack & 1);
    } else {
      const bool holds_here = operation < num_expressions ? has_bit(expressions_, operation)
                                                          : has_bit(classes_, operation - num_expressions);
      stack = stack << 1 | (holds_here ? 1 : 0);
    }
  }
  return (stack & 1) != 0;
}

}  // namespace quarry::match
