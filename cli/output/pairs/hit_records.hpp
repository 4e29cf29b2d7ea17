/// The hits of molecules on their way to a file that is not text: as bytes, so that a ledger keeps them like rows of text.
/// They never leave this machine, and hold numbers as they are in memory.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "output/hits.hpp"

namespace quarry::cli {

/// Appends a record: the molecule's name and its hits.
void append_hit_record(const MoleculeHits& molecule, std::string& records);

/// One record.
struct HitRecord {
  std::string_view name;
  std::vector<match::Hit> hits;
  std::vector<Index> offsets;  ///< [hits + 1] into `mappings`; all 0 where the mode has none
  std::vector<std::uint32_t> mappings;
};

/// Calls `use` for each record.
void for_each_hit_record(std::string_view records, const std::function<void(const HitRecord&)>& use);

}  // namespace quarry::cli
