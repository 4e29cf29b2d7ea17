/// CollectionWriter: each part is a library file that says which rows of which source it holds, so that the next run can
/// take it over where no manifest lists it yet.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "library/collection/manifest.hpp"
#include "library/library_impl.hpp"
#include "quarry/collection.hpp"
#include "quarry/error.hpp"
#include "quarry/files/input.hpp"
#include "util/check.hpp"
#include "util/checksum.hpp"
#include "util/files/mapped_file.hpp"
#include "util/files/temporary/temporary_file.hpp"
#include "util/files/temporary/temporary_name.hpp"

namespace quarry {
namespace {

/// The option of the constructor that helps where something is not what it was.
constexpr const char* kRestart = "restart";

/// The folder, made where it is not there, and locked.
class LockedFolder {
 public:
  LockedFolder(std::string path, bool wait) : path_(std::move(path)) {
    if (::mkdir(path_.c_str(), 0777) != 0 && errno != EEXIST) fail();
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) fail();
    // Where a file system cannot lock a folder, parts are still whole, and those of equal runs the same bytes.
    int status = 0;
    do status = ::flock(descriptor_, wait ? LOCK_EX : LOCK_EX | LOCK_NB);
    while (status != 0 && errno == EINTR);
    if (status != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor_);
      throw InputError("another run is writing to '" + path_ + "': wait for its end");
    }
    remove_dead_temporaries(path_);
  }
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;
  ~LockedFolder() {
    ::rmdir(path_.c_str());  // which does nothing where something is in it
    ::close(descriptor_);
  }

  std::string file(const std::string& name) const { return (std::filesystem::path(path_) / name).string(); }
  /// Removes parts and the manifest, and that first.
  void clear() const {
    remove(kManifestName);
    Index num_parts = 0;
    while (std::filesystem::exists(file(part_name(num_parts)))) ++num_parts;
    while (num_parts > 0) remove(part_name(--num_parts));  // the last first: those that are left follow one another
  }

 private:
  [[noreturn]] void fail() const {
    throw SystemError("cannot write " + path_ + ": " + std::generic_category().message(errno));
  }
  void remove(const std::string& name) const {
    if (::unlink(file(name).c_str()) != 0 && errno != ENOENT) fail();
  }

  std::string path_;
  int descriptor_ = -1;
};

CollectionPart describe(const LibraryPart& library, Index source) {
  const ChunkCounts counts = library.counts();
  CollectionPart part{.source = source, .first_row = library.provenance.first_row};
  part.report = {Index(counts.rows), Index(counts.molecules), Index(counts.rejected)};
  part.atoms = counts.atoms;
  part.bonds = counts.bonds;
  part.bytes = std::ssize(library.file->bytes());
  part.checksum = checksum_of(library.file->bytes());
  for (const auto& chunk : library.chunks) part.chunk_molecules.push_back(chunk->counts.molecules);
  return part;
}

}  // namespace

struct CollectionWriter::Impl {
  /// A part that no manifest lists.
  struct Stopped {
    std::string source, identity;
  };

  Impl(const std::string& collection_path, std::string options, Index rows, bool wait)
      : path(collection_path), command(std::move(options)), part_rows(rows), folder(path, wait) {}

  void load(bool restart);
  void find_stopped();
  void check_made(const Provenance& made, const std::string& of);
  void take_over();
  void require_none_stopped() const;
  void compare(const Library& library);
  void write(const Library& library);
  void close_part();
  void take_part(const std::string& file, CollectionPart part);
  std::string part_path(Index part) const { return folder.file(part_name(part)); }
  Index next_part() const { return std::ssize(collection.parts); }
  CollectionSource& source() { return collection.sources[current]; }

  std::string path, command;
  Index part_rows;
  LockedFolder folder;
  Collection collection;
  bool is_made = false;                            ///< the provenance of the collection is known
  std::unordered_map<std::string, Index> numbers;  ///< of sources, by their names
  Index num_complete = 0;                          ///< sources that the manifest lists
  std::vector<Stopped> stopped_parts;              ///< from next_part() on
  std::vector<std::string> stopped_sources;
  Index current = -1;                   ///< source; -1: none
  Index seen = 0;                       ///< rows of it that were appended or are not to be
  std::optional<LibraryPart> compared;  ///< part with the next rows of a stream
  Index compared_part = 0, compared_chunk = 0;
  std::optional<LibraryWriter> writer;
};

CollectionWriter::CollectionWriter(const std::string& path, const std::string& command, Index part_rows, bool restart,
                                   bool wait)
    : impl_(std::make_unique<Impl>(path, command, part_rows, wait)) {
  QUARRY_CHECK(part_rows > 0, "a part has rows");
  impl_->load(restart);
}

CollectionWriter::~CollectionWriter() { impl_->writer.reset(); }

void CollectionWriter::Impl::load(bool restart) {
  if (restart) folder.clear();
  if (std::filesystem::exists(folder.file(kManifestName))) {
    collection = read_collection(path);
    check_made(collection.provenance, path);
  }
  for (const CollectionSource& one : collection.sources) numbers.emplace(one.name, num_complete++);
  find_stopped();
}

void CollectionWriter::Impl::find_stopped() {
  for (Index part = next_part(); std::filesystem::exists(part_path(part)); ++part) {
    const LibraryPart library(part_path(part));
    const Provenance& made = library.provenance;
    check_made(made, library.name);
    stopped_parts.push_back({made.source, made.identity});
    if (stopped_sources.empty() || stopped_sources.back() != made.source) stopped_sources.push_back(made.source);
  }
}

/// All parts are made in one way. @param of  where it says how
void CollectionWriter::Impl::check_made(const Provenance& made, const std::string& of) {
  if (made.command != command)
    throw InputError(
        fmt::format("'{}' was made with the options '{}', and they are '{}' now", of, made.command, command), kRestart);
  Provenance& all = collection.provenance;
  if (!std::exchange(is_made, true)) {
    all = made;
    all.source = all.created = all.identity = "";
    all.first_row = 0;
    return;
  }
  if (made.format != all.format)
    throw InputError(fmt::format("'{}' holds {}, and '{}' {}: make two collections", path,
                                 all.format == RecordFormat::sdf ? "SDF records" : "SMILES", made.source,
                                 made.format == RecordFormat::sdf ? "SDF records" : "SMILES"));
  all.version = made.version;
}

const std::vector<std::string>& CollectionWriter::stopped() const { return impl_->stopped_sources; }
const Collection& CollectionWriter::collection() const { return impl_->collection; }

bool CollectionWriter::is_complete(const std::string& name) const {
  const auto found = impl_->numbers.find(name);
  return found != impl_->numbers.end() && found->second < impl_->num_complete;
}

Report CollectionWriter::enter(const std::string& name, const std::string& identity) {
  Impl& impl = *impl_;
  QUARRY_CHECK(impl.current < 0, "a source is left before another is entered");
  const auto [found, is_new] = impl.numbers.try_emplace(name, std::ssize(impl.collection.sources));
  impl.current = found->second;
  if (is_new) {
    const bool is_stopped = !impl.stopped_parts.empty();
    if (is_stopped && impl.stopped_parts.front().source != name) impl.require_none_stopped();
    impl.collection.sources.push_back({name, is_stopped ? impl.stopped_parts.front().identity : identity});
    impl.take_over();
  }
  const CollectionSource& source = impl.source();
  if (source.identity != identity) {
    const auto shown = [](const std::string& one) { return one.empty() ? "a stream" : one; };
    throw InputError(fmt::format("'{}' was {} when '{}' was made of it, and is {} now", name, shown(source.identity),
                                 impl.path, shown(identity)),
                     kRestart);
  }
  impl.seen = identity.empty() ? 0 : source.report.rows;
  impl.compared.reset();
  impl.compared_part =
      std::ranges::find(impl.collection.parts, impl.current, &CollectionPart::source) - impl.collection.parts.begin();
  return identity.empty() ? Report{} : source.report;
}

void CollectionWriter::Impl::require_none_stopped() const {
  if (stopped_parts.empty()) return;
  throw InputError(
      fmt::format("'{}' was begun with '{}', which is not among the inputs", path, stopped_parts.front().source),
      kRestart);
}

/// The next parts, as long as they are of the source.
void CollectionWriter::Impl::take_over() {
  CollectionSource& of = source();
  auto part = stopped_parts.begin();
  for (; part != stopped_parts.end() && part->source == of.name && part->identity == of.identity; ++part) {
    const LibraryPart library(part_path(next_part()));
    if (library.provenance.first_row != of.report.rows) break;
    collection.parts.push_back(describe(library, current));
    of.report += collection.parts.back().report;
  }
  stopped_parts.erase(stopped_parts.begin(), part);
}

void CollectionWriter::append(const Library& library) {
  Impl& impl = *impl_;
  QUARRY_CHECK(impl.current >= 0, "a source is entered before its rows are appended");
  QUARRY_CHECK(library.num_chunks() == 1, "chunks are appended one at a time");
  if (impl.seen < impl.source().report.rows) return impl.compare(library);
  if (impl.current < impl.num_complete)
    throw InputError(fmt::format("'{}' has more than the {} rows that it had when '{}' was made of it",
                                 impl.source().name, impl.seen, impl.path),
                     kRestart);
  impl.write(library);
}

void CollectionWriter::Impl::compare(const Library& library) {
  if (!compared) {
    compared.emplace(part_path(compared_part));
    compared_chunk = 0;
  }
  const auto now = LibraryAccess::hold(library, 0).slot().bytes, before = compared->slot(compared_chunk).bytes;
  const Index rows = library.report().rows;
  if (!std::ranges::equal(now, before))
    throw InputError(fmt::format("'{}' is not what it was when '{}' was made of it: rows {} to {} differ",
                                 source().name, path, seen + 1, seen + rows),
                     kRestart);
  seen += rows;
  if (++compared_chunk < std::ssize(compared->chunks)) return;
  compared.reset();
  ++compared_part;
}

void CollectionWriter::Impl::write(const Library& library) {
  // Not before more rows have come: the end of a stream may be missing.
  if (seen - source().report.rows >= part_rows) close_part();
  if (!writer) {
    Provenance made = library.provenance();
    made.source = source().name;
    made.identity = source().identity;
    made.first_row = seen;
    made.created.clear();  // so that equal runs make equal files
    check_made(made, made.source);
    writer.emplace(part_path(next_part()), made);
  }
  writer->append(library);
  seen += library.report().rows;
}

void CollectionWriter::Impl::close_part() {
  if (!writer) return;
  writer->finish_at_once();
  writer.reset();
  const LibraryPart written(part_path(next_part()));
  collection.parts.push_back(describe(written, current));
  source().report += collection.parts.back().report;
}

void CollectionWriter::leave() {
  Impl& impl = *impl_;
  impl.close_part();
  if (impl.seen < impl.source().report.rows)
    throw InputError(fmt::format("'{}' has ended after {} rows, and had {} when '{}' was made of it",
                                 impl.source().name, impl.seen, impl.source().report.rows, impl.path),
                     kRestart);
  impl.current = -1;
}

void CollectionWriter::join(const std::string& path) {
  Impl& impl = *impl_;
  const Collection other = read_collection(path);
  if (other.sources.empty()) return;
  Provenance made = other.provenance;
  made.source = other.sources.front().name;
  impl.check_made(made, path);
  auto part = other.parts.begin();
  for (Index i = 0; i < std::ssize(other.sources); ++i) {
    const CollectionSource& source = other.sources[i];
    const bool is_there = is_complete(source.name);
    enter(source.name, source.identity);
    for (; part != other.parts.end() && part->source == i; ++part) {
      if (is_there || part->first_row < impl.source().report.rows) continue;
      const Index number = part - other.parts.begin();
      impl.take_part((std::filesystem::path(path) / part_name(number)).string(), *part);
    }
    impl.seen = impl.source().report.rows;
    leave();
  }
}

void CollectionWriter::Impl::take_part(const std::string& file, CollectionPart part) {
  if (const MappedFile mapped(file); checksum_of(mapped.bytes()) != part.checksum)
    throw InputError(fmt::format("'{}' is not the part that its manifest lists: make that collection again", file));
  const std::string target = part_path(next_part());
  if (::link(file.c_str(), target.c_str()) != 0) {  // another file system, or one without links
    TemporaryFile copy(target);
    read_pieces(file, [&](std::string_view piece) { copy.write(piece.data(), piece.size()); });
    copy.commit_at_once();
  }
  part.source = current;
  source().report += part.report;
  collection.parts.push_back(std::move(part));
}

const Collection& CollectionWriter::finish() {
  Impl& impl = *impl_;
  QUARRY_CHECK(impl.current < 0, "all sources are left before the end");
  impl.require_none_stopped();
  if (impl.num_complete < std::ssize(impl.collection.sources)) {
    TemporaryFile manifest(impl.folder.file(kManifestName));
    const std::string text = manifest_text(impl.collection);
    manifest.write(text.data(), text.size());
    manifest.commit_at_once();
    impl.num_complete = std::ssize(impl.collection.sources);
  }
  return impl.collection;
}

}  // namespace quarry
