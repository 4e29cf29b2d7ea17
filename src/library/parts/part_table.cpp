#include "library/parts/part_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quarry/error.hpp"

namespace quarry {

SharedPart PartTable::part(Index number) const {
  if (only_) return only_;
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(recent_, number, &std::pair<Index, SharedPart>::first);
  if (found != recent_.end()) {
    std::rotate(found, found + 1, recent_.end());
    return recent_.back().second;
  }
  if (recent_.size() == kMostOpen) {
    const SharedPart oldest = recent_.front().second;
    recent_.erase(recent_.begin());
    oldest->check_unchanged();  // nobody asks after it is closed
  }
  return recent_.emplace_back(number, open(number)).second;
}

SharedPart PartTable::open_part(Index number) const {
  if (only_) return only_;
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(recent_, number, &std::pair<Index, SharedPart>::first);
  return found == recent_.end() ? nullptr : found->second;
}

SharedPart PartTable::open(Index number) const {
  auto part = std::make_shared<const LibraryPart>(places_[number].path);
  const FileState state = part->file->state();
  std::optional<FileState>& opened = places_[number].opened;
  if (opened && *opened != state) throw InputError(part->name + ": " + kChangedSinceOpened);
  if (!opened) check(*part, number);
  opened = state;
  return part;
}

void PartTable::check(const LibraryPart& part, Index number) const {
  const PartPlace& place = places_[number];
  const auto refuse = [&](const std::string& what) {
    throw InputError(
        fmt::format("{}: {}, which is not what its collection says: was the file replaced?", part.name, what));
  };
  if (const Index bytes = std::ssize(part.file->bytes()); bytes != place.bytes)
    refuse(fmt::format("it has {} bytes instead of {}", bytes, place.bytes));
  const auto chunk_fits = [](const auto& chunk, Index molecules) {
    return Index(chunk->counts.molecules) == molecules;
  };
  if (part.counts() != place.counts || !std::ranges::equal(part.chunks, place.chunk_molecules, chunk_fits))
    refuse("it has other numbers of molecules and rows");
  const Provenance& has = part.provenance;
  if (has.format != provenance_.format || has.explicit_hydrogens != provenance_.explicit_hydrogens ||
      has.stereo != provenance_.stereo)
    refuse("its molecules were read in another way");
}

void PartTable::verify(Index number) const {
  if (only_ || !places_[number].checksum) return;
  const SharedPart part = this->part(number);
  if (checksum_of(part->file->bytes()) != *places_[number].checksum)
    throw InputError(part->name + ": it is whole, but not the part that its collection was made with (checksum)");
  part->file->release(part->file->bytes());
}

void PartTable::check_unchanged() const {
  if (only_) return only_->check_unchanged();
  const std::lock_guard lock(mutex_);
  for (const auto& [number, part] : recent_) part->check_unchanged();
}

}  // namespace quarry
