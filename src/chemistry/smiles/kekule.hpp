/// Double bonds for aromatic ones, the same that RDKit places.
///
/// Which of several Kekule forms is chosen shows where a ring that was written aromatic is not, so the search visits atoms,
/// and goes back, in RDKit's order.
/// Source: RDKit 2022.09, GraphMol/Kekulize.cpp.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

/// Atoms that wait for their turn, each at most once.
class AtomQueue {
 public:
  void clear(std::size_t num_atoms);
  bool is_empty() const { return size_ == 0; }
  bool has(int atom) const { return waits_[atom]; }
  void push_back(int atom);
  void push_front(int atom);
  int pop_front();

 private:
  /// Of the atom that is `ahead` of the front, at most the number of slots.
  std::size_t slot(std::size_t ahead) const {
    const std::size_t sum = front_ + ahead;
    return sum < slots_.size() ? sum : sum - slots_.size();
  }

  std::vector<AtomId> slots_;
  std::vector<std::uint8_t> waits_;
  std::size_t front_ = 0, size_ = 0;
};

class KekuleSearch {
 public:
  /// Gives every aromatic bond of a draft with rings a single or double one, and takes the aromatic marks away.
  Unproven run(Draft& draft);

 private:
  bool is_candidate(int atom) const;
  bool run_system();
  void mark_candidates();
  bool place_bonds();
  void visit_neighbours(int atom);
  bool place_bond(int atom);
  bool go_back();
  Unproven clear_marks();

  /// Neighbours that may still be tried for the double bond of an atom.
  struct Options {
    std::array<AtomId, kMostNeighbours> atoms;
    int first = 0, last = 0;
    bool is_empty() const { return first == last; }
  };
  struct Choice {
    int atom = 0;
    Options open;
  };

  Draft* draft_ = nullptr;
  std::vector<int> system_;
  std::vector<AtomId> atoms_;                                     ///< of the system, in the order of its rings
  std::vector<std::uint8_t> in_system_, takes_double_, is_done_;  ///< [atoms] 0 or 1
  std::vector<AtomId> done_;                                      ///< in order
  std::vector<BondId> to_single_, placed_;
  AtomQueue queue_;
  Options options_;
  std::vector<Choice> choices_;  ///< the last is the one to go back to
  int num_returns_ = 0;
};

}  // namespace quarry::smiles
