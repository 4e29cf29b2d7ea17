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

/// Atoms that wait for their turn.
class AtomQueue {
 public:
  /// @param num_atoms  the most that wait at a time
  void clear(std::size_t num_atoms);
  bool is_empty() const { return size_ == 0; }
  void push_back(int atom) { slots_[slot(size_++)] = static_cast<AtomId>(atom); }
  void push_front(int atom);
  int pop_front() {
    const int atom = slots_[front_];
    front_ = slot(1);
    --size_;
    return atom;
  }

 private:
  /// Of the atom that is `ahead` of the front, at most the number of slots.
  std::size_t slot(std::size_t ahead) const {
    const std::size_t sum = front_ + ahead;
    return sum < slots_.size() ? sum : sum - slots_.size();
  }

  std::vector<AtomId> slots_;
  std::size_t front_ = 0, size_ = 0;
};

class KekuleSearch {
 public:
  /// Makes every aromatic bond a single or double one, and takes the aromatic marks away, except in rings that it marks as
  /// aromatic.
  Unproven run(Draft& draft);

 private:
  void keep_aromatic(std::uint64_t rings);
  bool run_system();
  void mark_candidates();
  bool needs_double(int atom);
  bool place_bonds();
  int next_atom();
  void visit_neighbours(int atom);
  bool place_bond(int atom);
  bool go_back();
  Unproven clear_marks();

  /// Of an atom, as bits.
  enum State : std::uint8_t { kInSystem = 1, kTakesDouble = 2, kDone = 4, kWaits = 8, kKept = 16 };

  /// Neighbours that may still be tried for the double bond of an atom.
  struct Options {
    std::array<Link, kMostNeighbours> links;
    int first = 0, last = 0;
    bool is_empty() const { return first == last; }
  };
  struct Choice {
    int atom = 0;
    Options open;
  };

  Draft* draft_ = nullptr;
  std::vector<int> system_;
  std::vector<AtomId> atoms_;         ///< of the system, in the order of its rings
  std::vector<std::uint8_t> states_;  ///< [atoms] of the system
  std::vector<AtomId> done_;          ///< in order
  std::vector<BondId> placed_;
  AtomQueue queue_;
  Options options_;
  std::vector<Choice> choices_;  ///< the last is the one to go back to
  int num_returns_ = 0;
  int num_kept_ = 0;  ///< atoms of rings that are left as they are written
};

}  // namespace quarry::smiles
