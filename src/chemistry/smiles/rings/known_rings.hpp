/// The rings of ring systems that were searched before. Few systems are new in a file of drug-like molecules.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

/// Rings in the numbers of a system, or of a core.
struct FoundRings {
  std::vector<Ring> rings;    ///< of the atoms and bonds below
  std::vector<AtomId> atoms;  ///< of each ring, along it
  std::vector<BondId> bonds;  ///< of each ring, the bond after each atom
};

class KnownRings {
 public:
  /// @param key  of the system
  /// @return  nullptr where it is new; valid until one is added
  const FoundRings* find(std::string_view key) const {
    const auto known = rings_.find(key);
    return known == rings_.end() ? nullptr : &known->second;
  }
  const FoundRings* add(std::string_view key, const FoundRings& rings) {
    if (rings_.size() == kMostSystems) rings_.clear();
    return &rings_.emplace(key, rings).first->second;
  }

 private:
  /// Those of drug-like molecules take about 5 MB, for each thread.
  static constexpr std::size_t kMostSystems = 8192;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
  };
  std::unordered_map<std::string, FoundRings, Hash, std::equal_to<>> rings_;
};

}  // namespace quarry::smiles
