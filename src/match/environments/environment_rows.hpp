/// What is known of an atom by its environment: its kind, its ring system, and the bonds and kinds of its neighbours.
///
/// Molecules share few environments: the 2.66 M atoms of 114,901 drug-like molecules have 42,840, of which 3,403 are
/// those of 90 % of the atoms. So everything that a query atom asks of an atom, of its neighbours and of its rings is
/// evaluated once per environment, and a molecule only looks it up. Environments that no query tells apart are one. The
/// table grows as molecules are read, and starts again when it is full.
#pragma once
#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "graph/graph_batch.hpp"
#include "match/environments/kind_rows.hpp"
#include "match/plan.hpp"
#include "util/memory/huge_pages.hpp"
#include "util/sequence_table.hpp"

namespace quarry::match {

/// Environments that a table holds before it starts again: the rows of 619 queries take 26 MB then. Tests set less.
inline Index max_environments = 65536;

/// The rows that threads have evaluated, each for the others.
class EvaluatedRows {
 public:
  /// @param key  of an environment
  /// @param row  out
  /// @return  false where no thread has evaluated it
  bool find(std::span<const std::uint64_t> key, std::span<std::uint64_t> row);
  /// Keeps a row, unless there is no room for more.
  void add(std::span<const std::uint64_t> key, std::span<const std::uint64_t> row);

 private:
  std::mutex mutex_;
  SequenceTable numbers_;
  LargeVector<std::uint64_t> rows_;
};

class EnvironmentRows {
 public:
  /// @param evaluated  of other threads and batches; nullptr: none
  explicit EnvironmentRows(const Plan& plan, EvaluatedRows* evaluated = nullptr);

  /// To be called before atoms of another chunk are looked up.
  void set_kinds(KindRows& known, std::span<const AtomKind> kinds) { known.collect(kinds, kind_numbers_, kind_rows_); }
  /// Of the kinds of the chunk, [kinds, predicate_words() + rules.words()]
  std::span<const std::uint64_t> kind_rows() const { return kind_rows_; }
  /// To be called before the atoms of a batch are looked up; numbers given before mean nothing where the table was full.
  void start_batch() {
    if (numbers_.size() > max_environments) clear();
  }
  void clear();
  /// Appends the numbers of the environments of the nodes of a graph; labels of nodes are the chunk's kinds.
  void add_numbers(const GraphBatchView& graphs, Index graph, std::vector<std::uint32_t>& numbers);
  /// [environments, environment_words()], valid until the next call of another function
  View<const std::uint64_t> rows() const { return view_of(rows_); }

 private:
  struct Neighbour {
    std::uint8_t label;  ///< of the bond, with kOnCycle
    std::uint32_t kind;  ///< of the chunk
  };
  struct Key {
    std::vector<std::uint64_t> words;
    std::uint64_t hash = 0;
  };
  struct ListedClass {
    PlainClass asked;
    std::uint32_t atom_class;
  };
  void find_key(const GraphBatchView& graphs, Index first_node, Index node, Key& key) const;
  /// The row of a new environment, that of a node with the key `key_`.
  void add_row(const GraphBatchView& graphs, Index first_node, Index node);
  void evaluate(Index kind, const RingSystem& ring_system, std::span<std::uint64_t> row);
  /// Demands into predicates that the atom meets, in `met_`.
  void find_demands();
  /// The plain expressions that the atom fulfils and the atom classes that it may be in, in `expressions_` and `classes_`.
  void find_classes(Index kind, const RingSystem& ring_system);
  bool holds(const PlainClass& asked, const RingSystem& ring_system) const;
  bool run(const PlainProgram& program) const;
  const std::uint64_t* row_of_kind(Index kind) const {
    return kind_rows_.data() + kind * (plan_.predicate_words() + plan_.rules.words());
  }

  const Plan& plan_;
  EvaluatedRows* evaluated_;
  PlanView view_;
  std::array<std::uint8_t, 2 * kNumBondKinds> label_numbers_{};  // equal where bonds fit the same demands
  RingSystem largest_;                                           // that a query asks for
  std::vector<ListedClass> listed_;                              // beside `PlainRules::class_list`
  std::vector<std::uint32_t> kind_numbers_;
  std::vector<std::uint64_t> kind_rows_;
  SequenceTable numbers_;
  LargeVector<std::uint64_t> rows_;
  Key key_, next_key_;
  std::vector<std::uint64_t> met_, expressions_, classes_;
  std::vector<Neighbour> neighbours_;  // of the node whose row is added
};

}  // namespace quarry::match
