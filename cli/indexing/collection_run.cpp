/// Source after source: those that are there are checked, those that a stopped run began are ended, new ones are added.
#include "indexing/collection_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "arguments/files.hpp"
#include "indexing/fetched_stream.hpp"
#include "input/read_notes.hpp"
#include "input/source.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"
#include "quarry/files/ledger.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

/// By the name of what is fetched; what has none is SMILES, as standard input.
std::string format_of(const std::string& name) {
  const std::string extension = extension_of(name);
  return extension.empty() ? "smi" : extension.substr(1);
}

/// Bytes, and the time of the last write.
std::pair<std::uintmax_t, std::filesystem::file_time_type> state_of(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return {bytes, std::filesystem::last_write_time(path, error)};
}

class CollectionRun {
 public:
  explicit CollectionRun(const CollectionOptions& options) : options_(options) {}

  CollectionTotals run(ProgressLine& progress) {
    check_inputs();
    CollectionWriter writer(options_.path, options_.read.command, options_.part_rows, options_.restart,
                            options_.is_shard);
    totals_.parts_kept = std::ssize(writer.collection().parts);
    for (const std::string& name : in_order(writer)) add(writer, name, progress);
    return finish(writer);
  }

  CollectionTotals join(const std::vector<std::string>& shards) {
    const Stopwatch writing;
    CollectionWriter writer(options_.path, options_.read.command, options_.part_rows);
    totals_.parts_kept = std::ssize(writer.collection().parts);
    // A merge that was done may be done again.
    const auto is_complete = [&](const std::string& name) { return writer.is_complete(name); };
    if (!std::ranges::all_of(options_.inputs, is_complete)) check_order(in_order(writer), writer);
    for (const std::string& shard : shards) {
      writer.join(shard);
      check_run(unfinished());
    }
    totals_.write_seconds += writing.seconds();
    return finish(writer);
  }

 private:
  CollectionTotals finish(CollectionWriter& writer) {
    if (!options_.is_shard) check_whole(writer.collection());
    check_run(unfinished());
    const Stopwatch writing;
    totals_.collection = writer.finish();
    totals_.write_seconds += writing.seconds();
    return std::move(totals_);
  }

  std::string unfinished() const {
    return fmt::format("the parts in '{}' wait for another run, and are no collection yet", options_.path);
  }

  void check_whole(const Collection& collection) {
    const Report rows = collection.report();
    if (rows.ok == 0)
      throw InputError(fmt::format("'{}'{} holds no molecule that can be read ({})", options_.inputs.front(),
                                   options_.inputs.size() > 1 ? " and all others" : "", counted(rows.rows, "row")));
    count_equal_ids(collection);
    note_for_strict(rows.rejected, "rejected row");
    say_equal_ids(totals_.equal_ids, "the collection keeps the ids as they are", options_.quiet);
  }

  bool is_stream(const std::string& name) const { return !options_.fetch.empty() || is_pipe(name); }

  /// Before anything is written.
  void check_inputs() {
    for (const std::string& name : options_.inputs) {
      if (is_library_file(name)) throw InputError(fmt::format("'{}' is a library already", name));
      if (is_stream(name)) {
        knows_bytes_ = false;
        continue;
      }
      std::error_code error;
      if (::access(name.c_str(), R_OK) != 0) error.assign(errno, std::generic_category());
      if (!error) bytes_total_ += std::filesystem::file_size(name, error);
      if (error) throw InputError(fmt::format("cannot open {}: {}", name, error.message()));
    }
  }

  /// Those of a stopped run come first. @throws InputError  some of the sources are given again, and others are not
  std::vector<std::string> in_order(const CollectionWriter& writer) const {
    const std::unordered_set<std::string> given(options_.inputs.begin(), options_.inputs.end());
    const auto is_complete = [&](const std::string& name) { return writer.is_complete(name); };
    const bool adds_only = std::ranges::none_of(options_.inputs, is_complete);
    for (const CollectionSource& source : writer.collection().sources)
      if (!adds_only && !given.contains(source.name))
        throw InputError(
            fmt::format("'{}' is in '{}' and not among the inputs: give all of its inputs again, or only new ones; "
                        "--restart begins again",
                        source.name, options_.path));
    std::vector<std::string> names;
    std::unordered_set<std::string> taken;
    for (const auto* const list : {&writer.stopped(), &options_.inputs})
      for (const std::string& name : *list)
        if (given.contains(name) && taken.insert(name).second) names.push_back(name);
    return names;
  }

  /// Parts of a run that was stopped are taken over in the order of that run.
  void check_order(const std::vector<std::string>& names, const CollectionWriter& writer) const {
    if (names != options_.inputs)
      throw InputError(fmt::format("'{}' was begun with '{}' first, by another run: end that run, or remove the folder",
                                   options_.path, writer.stopped().front()));
  }

  void add(CollectionWriter& writer, const std::string& name, ProgressLine& progress) {
    const bool complete = writer.is_complete(name);
    // An object in a store is not fetched again: another one has another name.
    if (complete && !options_.fetch.empty()) return;
    if (is_stream(name)) {
      read(writer, name, enter(writer, name, ""), progress);
    } else {
      const auto before = state_of(name);
      const Report done = enter(writer, name, identity_of_file(name));
      if (complete)
        bytes_total_ -= before.first;  // it is not read again
      else
        read(writer, name, done, progress);
      if (state_of(name) != before)
        throw InputError(
            fmt::format("'{}' has changed while it was read: run this again when nothing writes to it", name));
    }
    writer.leave();
  }

  /// Parts of a stopped run join the collection then.
  Report enter(CollectionWriter& writer, const std::string& name, const std::string& identity) {
    const Index before = std::ssize(writer.collection().parts);
    const Report done = writer.enter(name, identity);
    totals_.parts_kept += std::ssize(writer.collection().parts) - before;
    return done;
  }

  void read(CollectionWriter& writer, const std::string& name, const Report& done, ProgressLine& progress) {
    ReadOptions read_options = options_.read;
    if (options_.fetch.empty()) return read_all(writer, name, read_options, done, progress, [] {});
    FetchedStream stream(options_.fetch, name);
    read_options.name = name;
    if (read_options.format.empty()) read_options.format = format_of(name);
    try {
      read_all(writer, stream.path(), read_options, done, progress, [&] { stream.finish(); });
    } catch (const InputError&) {
      stream.check_failed();  // which says more
      throw;
    }
  }

  /// @param check_end  what there is to say of the end of the input, before anything else is
  void read_all(CollectionWriter& writer, const std::string& path, const ReadOptions& read_options, const Report& done,
                ProgressLine& progress, const std::function<void()>& check_end) {
    MoleculeSource source(path, read_options);
    if (done.rows > 0) source.skip({done});
    while (const Library* chunk = source.next()) {
      const Stopwatch writing;
      writer.append(*chunk);
      totals_.write_seconds += writing.seconds();
      progress.update(molecules_before_ + source.report().ok, bytes_before_ + source.bytes_read(),
                      knows_bytes_ ? bytes_total_ : 0);
    }
    check_end();
    source.say_notes(options_.quiet);
    totals_.audit += source.audit();
    totals_.read_seconds += source.read_seconds();
    molecules_before_ += source.report().ok;
    bytes_before_ += source.bytes_read();
  }

  /// Of the parts, whichever run made them, as long as ids are kept at all.
  void count_equal_ids(const Collection& collection) {
    DistinctIds ids;
    for (Index i = 0; i < std::ssize(collection.parts) && ids.num_left_out() == 0; ++i) {
      const Library part = Library::open((std::filesystem::path(options_.path) / part_name(i)).string());
      ids.enter_file(part.provenance().source);
      distinct_names(part, ids);
    }
    totals_.equal_ids = ids.num_named();
  }

  CollectionOptions options_;
  CollectionTotals totals_;
  Index molecules_before_ = 0, bytes_before_ = 0, bytes_total_ = 0;
  bool knows_bytes_ = true;
};

}  // namespace

CollectionTotals make_collection(const CollectionOptions& options, ProgressLine& progress) {
  return CollectionRun(options).run(progress);
}

CollectionTotals join_collections(const CollectionOptions& options, const std::vector<std::string>& shards) {
  return CollectionRun(options).join(shards);
}

}  // namespace quarry::cli
