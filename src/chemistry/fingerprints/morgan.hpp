/// The bits of a Morgan fingerprint from the atoms and bonds of a molecule.
///
/// Each atom begins with a number made of its own properties. In each round it gets a new one, made of its number and
/// those of its neighbours, so that after round r the number stands for all that lies within r bonds. Every number sets the
/// bit (number modulo the number of bits), unless the same set of bonds has set one before. Numbers, order and rules
/// are those of RDKit 2022.09, without chirality, so that the bits are the same.
/// Source: Rogers, Hahn, J. Chem. Inf. Model. 2010, 50, 742.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quarry/index.hpp"
#include "quarry/molecule.hpp"

namespace quarry {

/// Keeps its memory from one molecule to the next.
class MorganBits {
 public:
  MorganBits(int radius, Index num_bits) : radius_(radius), num_bits_(num_bits), round_sets_(radius) {}
  /// The set bits in ascending order; valid until the next call.
  /// @param molecule  as RDKit sanitises it: its properties decide the bits, its stereo marks do not
  const std::vector<std::uint32_t>& bits(const Molecule& molecule);

 private:
  struct Neighbour {
    std::uint32_t atom = 0, bond = 0, type = 0;
  };
  using Words = std::span<const std::uint64_t>;

  void start(const Molecule& molecule);
  void link(const Molecule& molecule);
  void run_round(int round);
  /// Sets the new number and the new bonds of an atom.
  void grow(std::uint32_t atom, int round);
  /// Sets a bit for each new set of bonds, and leaves out the atoms whose set is not new.
  void take_new_sets(int round);
  bool was_set_before(Words bonds, int round) const;
  void set_bit(std::uint32_t number) { bits_.push_back(static_cast<std::uint32_t>(number % num_bits_)); }
  Words bonds_of(std::uint32_t atom) const { return {next_bonds_.data() + atom * num_words_, num_words_}; }

  int radius_;
  Index num_bits_;
  std::size_t num_words_ = 0;                           ///< of a set of bonds
  std::vector<std::uint32_t> first_;                    ///< [atoms + 1] into `neighbours_`
  std::vector<Neighbour> neighbours_;                   ///< of each atom
  std::vector<std::uint32_t> numbers_, next_numbers_;   ///< [atoms]
  std::vector<std::uint64_t> bonds_, next_bonds_;       ///< [atoms][num_words_]: the bonds that its number stands for
  std::vector<std::uint32_t> alive_;                    ///< atoms whose sets of bonds were new so far
  std::vector<std::vector<std::uint64_t>> round_sets_;  ///< [radius][]: the new sets of each round, ascending
  std::vector<std::uint64_t> terms_;                    ///< of one atom: bond type and number of each neighbour
  std::vector<std::uint32_t> bits_;
};

}  // namespace quarry
