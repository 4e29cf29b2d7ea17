/// Collections as libraries: what the manifest says takes the place of opening the parts.
#include "quarry/collection.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <system_error>

#include "library/collection/manifest.hpp"
#include "library/library_impl.hpp"
#include "quarry/error.hpp"

namespace quarry {
namespace {

/// Parts that follow one another in a library, and what they have in common.
struct Places {
  std::vector<PartPlace> parts;
  Provenance provenance;
  Index num_sources = 0;
};

ChunkCounts counts_of(const CollectionPart& part) {
  ChunkCounts counts;
  counts.molecules = part.report.ok;
  counts.atoms = part.atoms;
  counts.bonds = part.bonds;
  counts.rows = part.report.rows;
  counts.rejected = part.report.rejected;
  return counts;
}

Places places_of_collection(const std::string& path) {
  Collection collection = read_collection(path);
  Places places{{}, std::move(collection.provenance), std::ssize(collection.sources)};
  if (places.num_sources > 0) places.provenance.source = collection.sources.front().name;
  if (places.num_sources > 1) places.provenance.source += fmt::format(" and {} more", places.num_sources - 1);
  for (CollectionPart& part : collection.parts) {
    const std::string name = part_name(std::ssize(places.parts));
    places.parts.push_back({.path = (std::filesystem::path(path) / name).string(),
                            .bytes = part.bytes,
                            .counts = counts_of(part),
                            .chunk_molecules = std::move(part.chunk_molecules),
                            .checksum = part.checksum,
                            .source = collection.sources[part.source].name});
  }
  return places;
}

Places places_of_file(const std::string& path) {
  const LibraryPart part(path);
  PartPlace place{.path = path, .bytes = std::ssize(part.file->bytes()), .counts = part.counts()};
  for (const auto& chunk : part.chunks) place.chunk_molecules.push_back(chunk->counts.molecules);
  place.source = part.provenance.source;
  place.opened = part.file->state();
  return {{std::move(place)}, part.provenance, 1};
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

Library library_of(const std::string& name, Places places) {
  return LibraryAccess::make(
      std::make_unique<LibraryAccess::Impl>(name, std::move(places.parts), places.provenance, places.num_sources));
}

void check_alike(const Provenance& first, const std::string& first_path, const Provenance& next,
                 const std::string& next_path) {
  const auto refuse = [&](const std::string& has, const std::string& where, const std::string& has_not) {
    throw InputError(fmt::format("'{}' has {} and '{}' has {}: use them in two runs", first_path, has, where, has_not));
  };
  const auto hydrogens = [](const Provenance& one) {
    return one.explicit_hydrogens ? "explicit hydrogens" : "implicit ones";
  };
  const auto records = [](const Provenance& one) { return one.format == RecordFormat::sdf ? "SDF records" : "SMILES"; };
  if (first.explicit_hydrogens != next.explicit_hydrogens) refuse(hydrogens(first), next_path, hydrogens(next));
  if (first.format != next.format) refuse(records(first), next_path, records(next));
  if (first.stereo != next.stereo)
    refuse(first.stereo ? "resolved stereo marks" : "raw stereo marks", next_path,
           next.stereo ? "resolved ones" : "raw ones");
}

}  // namespace

bool is_collection(const std::string& path) {
  std::string_view name = path;
  while (name.size() > 1 && name.back() == '/') name.remove_suffix(1);
  std::error_code error;
  return name.ends_with(".qlibs") ||
         std::filesystem::is_regular_file(std::filesystem::path(path) / kManifestName, error);
}

std::string part_name(Index part) { return fmt::format("part-{:06}.qlib", part); }

Report Collection::report() const {
  Report all;
  for (const CollectionSource& source : sources) all += source.report;
  return all;
}

Collection read_collection(const std::string& path) {
  const std::string manifest = (std::filesystem::path(path) / kManifestName).string();
  std::error_code error;
  if (is_folder(path) && !std::filesystem::exists(manifest, error))
    throw InputError(fmt::format("'{}' has no {}: its index run has not ended; run it again", path, kManifestName));
  const MappedFile file(manifest);
  const auto bytes = file.bytes();
  return parse_manifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, manifest);
}

Library Library::open(const std::string& path) {
  if (is_folder(path)) return library_of(path, places_of_collection(path));
  return Library(std::make_unique<Impl>(std::make_shared<const LibraryPart>(path)));
}

Library Library::open(std::span<const std::string> paths) {
  if (paths.empty()) throw InputError("there is no library to open");
  if (paths.size() == 1) return open(paths.front());
  Places all;
  for (const std::string& path : paths) {
    Places places = is_folder(path) ? places_of_collection(path) : places_of_file(path);
    if (all.num_sources == 0)
      all.provenance = places.provenance;
    else
      check_alike(all.provenance, paths.front(), places.provenance, path);
    all.num_sources += places.num_sources;
    for (PartPlace& place : places.parts) all.parts.push_back(std::move(place));
  }
  all.provenance.distinct_ids = false;  // two files may have the same
  return library_of(fmt::format("{} and {} more", paths.front(), paths.size() - 1), std::move(all));
}

}  // namespace quarry
