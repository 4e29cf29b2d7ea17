/// Where the heavy atoms of one molecule are in another one that is the same.
#pragma once
#include <cstdint>
#include <vector>

#include "quarry/ligand.hpp"

namespace RDKit {
class ROMol;
}  // namespace RDKit

namespace quarry {

/// Every isomorphism of the heavy atoms by elements and bonds, whatever the orders.
/// @return  [num_maps][heavy atoms of the ligand in order] atoms of `other`; empty where the molecules differ
/// @throws CapacityError  there are more than 100,000 maps
std::vector<std::vector<int>> isomorphisms(const Ligand& ligand, const RDKit::ROMol& other);

/// Ligand::symmetries of its elements and bonds.
std::vector<std::vector<std::uint16_t>> symmetries_of(const Ligand& ligand);

}  // namespace quarry
