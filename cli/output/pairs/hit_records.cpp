/// A record: lengths, the hits, the number of atoms of each, the atoms, and the name.
#include "output/pairs/hit_records.hpp"

#include <cstring>

namespace quarry::cli {
namespace {

struct RecordLengths {
  std::uint64_t name_bytes, num_hits, num_atoms;
};

struct StoredHit {
  Index embeddings, num_atoms;
  std::uint32_t query, state;
};

template <class T>
void append_bytes(const T* values, std::size_t count, std::string& records) {
  records.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
void take_bytes(T* values, std::size_t count, std::string_view& records) {
  if (count > 0) std::memcpy(values, records.data(), count * sizeof(T));
  records.remove_prefix(count * sizeof(T));
}

constexpr std::uint32_t kTruncated = 1, kTimeout = 2, kOverflow = 4;

std::uint32_t state_of(const match::Hit& hit) {
  return (hit.truncated ? kTruncated : 0) | (hit.timeout ? kTimeout : 0) | (hit.overflow ? kOverflow : 0);
}

}  // namespace

void append_hit_record(const MoleculeHits& molecule, std::string& records) {
  RecordLengths lengths{molecule.name.size(), static_cast<std::uint64_t>(molecule.last_hit - molecule.first_hit), 0};
  for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) lengths.num_atoms += molecule.mappings(i).size();
  append_bytes(&lengths, 1, records);
  for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
    const match::Hit& hit = molecule.hit(i);
    const StoredHit stored{hit.embeddings, std::ssize(molecule.mappings(i)), hit.query, state_of(hit)};
    append_bytes(&stored, 1, records);
  }
  for (Index i = molecule.first_hit; i < molecule.last_hit; ++i)
    append_bytes(molecule.mappings(i).data(), molecule.mappings(i).size(), records);
  records += molecule.name;
}

void for_each_hit_record(std::string_view records, const std::function<void(const HitRecord&)>& use) {
  HitRecord record;
  while (!records.empty()) {
    RecordLengths lengths;
    take_bytes(&lengths, 1, records);
    record.hits.resize(lengths.num_hits);
    record.offsets.assign(1, 0);
    for (match::Hit& hit : record.hits) {
      StoredHit stored;
      take_bytes(&stored, 1, records);
      hit = {.query = stored.query,
             .truncated = (stored.state & kTruncated) != 0,
             .timeout = (stored.state & kTimeout) != 0,
             .overflow = (stored.state & kOverflow) != 0,
             .embeddings = stored.embeddings};
      record.offsets.push_back(record.offsets.back() + stored.num_atoms);
    }
    record.mappings.resize(lengths.num_atoms);
    take_bytes(record.mappings.data(), record.mappings.size(), records);
    record.name = records.substr(0, lengths.name_bytes);
    records.remove_prefix(lengths.name_bytes);
    use(record);
  }
}

}  // namespace quarry::cli
