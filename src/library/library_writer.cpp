/// LibraryWriter: chunks as they come, then directory and footer. Memory holds one directory entry per chunk.
#include <utility>

#include "library/library_format.hpp"
#include "library/library_impl.hpp"
#include "util/check.hpp"
#include "util/files/temporary/temporary_file.hpp"

namespace quarry {

struct LibraryWriter::Impl {
  TemporaryFile file;
  Directory directory;
  bool finished = false;

  Impl(const std::string& path, const Provenance& provenance) : file(path), directory{{}, provenance} {
    directory.provenance.distinct_ids = false;
  }
  void write(std::span<const std::byte> bytes) { file.write(bytes.data(), bytes.size()); }
  std::uint64_t position() const { return file.position(); }
  void write_directory() {
    QUARRY_CHECK(!finished, "a library can be finished only once");
    finished = true;
    write(encode_directory(directory, position()));
  }
};

LibraryWriter::LibraryWriter(const std::string& path, const Provenance& provenance)
    : impl_(std::make_unique<Impl>(path, provenance)) {
  impl_->write(encode_header());
}

LibraryWriter::~LibraryWriter() = default;

void LibraryWriter::append(const Library& library) {
  QUARRY_CHECK(!impl_->finished, "nothing can be appended to a finished library");
  impl_->directory.provenance.distinct_ids = false;
  for (Index i = 0; i < library.num_chunks(); ++i) {
    const HeldChunk held = LibraryAccess::hold(library, i);
    const ChunkSlot& chunk = held.slot();
    impl_->directory.entries.push_back({impl_->position(), chunk.bytes.size(), chunk.counts});
    impl_->write(chunk.bytes);
  }
}

void LibraryWriter::append_chunk(std::string_view bytes) {
  const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
  append(library_from_chunk({first, first + bytes.size()}, {}));
}

void LibraryWriter::set_distinct_ids() { impl_->directory.provenance.distinct_ids = true; }

Index LibraryWriter::bytes() const { return impl_->file.position(); }

void LibraryWriter::finish() {
  impl_->write_directory();
  impl_->file.commit();
}

void LibraryWriter::finish_at_once() {
  impl_->write_directory();
  impl_->file.commit_at_once();
}

}  // namespace quarry
