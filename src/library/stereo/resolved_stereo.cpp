#include "library/stereo/resolved_stereo.hpp"

namespace quarry {

std::string_view smiles_of_record(std::string_view record) { return record.substr(0, record.find('\t')); }

bool may_have_stereo(std::string_view record) {
  return smiles_of_record(record).find_first_of("@/\\") != std::string_view::npos;
}

std::vector<std::pair<Index, std::string>> ResolvedStereo::missing(std::span<const Index> molecules,
                                                                   const std::function<ChunkText()>& load) {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<Index, std::string>> found;
  for (const Index molecule : molecules) {
    if (marks_.contains(molecule)) continue;
    if (records_.empty()) {
      const ChunkText text = load();
      std::vector<std::string> records;  // which may run out of memory half-way
      records.reserve(text.records.size());
      for (const std::string_view record : text.records)
        records.emplace_back(may_have_stereo(record) ? smiles_of_record(record) : std::string_view());
      records_ = std::move(records);
    }
    if (records_[molecule].empty())
      marks_.try_emplace(molecule);
    else
      found.emplace_back(molecule, records_[molecule]);
  }
  return found;
}

void ResolvedStereo::add(Index molecule, StereoMarks marks) {
  const std::lock_guard lock(mutex_);
  marks_.try_emplace(molecule, std::move(marks));
}

void ResolvedStereo::copy(std::span<const Index> molecules, StereoColumns& columns) const {
  columns.chiral_offsets.assign(1, 0);
  columns.stereo_offsets.assign(1, 0);
  columns.chiral_atoms.clear();
  columns.stereo_bonds.clear();
  const std::lock_guard lock(mutex_);
  for (const Index molecule : molecules) {
    if (const auto found = marks_.find(molecule); found != marks_.end()) {
      const auto& [chiral, stereo] = found->second;
      columns.chiral_atoms.insert(columns.chiral_atoms.end(), chiral.begin(), chiral.end());
      columns.stereo_bonds.insert(columns.stereo_bonds.end(), stereo.begin(), stereo.end());
    }
    columns.chiral_offsets.push_back(static_cast<std::uint32_t>(columns.chiral_atoms.size()));
    columns.stereo_offsets.push_back(static_cast<std::uint32_t>(columns.stereo_bonds.size()));
  }
}

void ResolvedStereo::forget_records() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string>().swap(records_);
}

}  // namespace quarry
