/// The molecules of all inputs of a job as one row of libraries, any range of which can be read.
///
/// Files of text are packed once, by `plan`, into libraries in the folder of the job. What decides names of molecules with
/// equal ids is found there too, because it needs all ids before.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "input/source.hpp"
#include "quarry/job.hpp"

namespace quarry::cli {

/// Consecutive molecules of one library.
struct MoleculeRange {
  const Library* library;
  Index first = 0, last = 0;  ///< half open, numbered in the library
  std::vector<std::string> columns;
  std::vector<NamedMolecule> named;  ///< of them, those with a name of their own, ascending
};

class MoleculeRows {
 public:
  /// Reads all inputs for a job with `plan.num_shards` shards. The plan gets notes of what is found.
  /// @throws InputError  an input cannot be read again, or as MoleculeSource
  static void prepare(MoleculeSource& source, const std::vector<std::string>& paths, JobPlan& plan,
                      const std::string& folder, int threads);
  explicit MoleculeRows(const Job& job);

  /// Paths of the libraries.
  std::vector<std::string> paths() const;
  /// Those of the first input.
  const std::vector<std::string>& columns() const { return parts_.front().columns; }
  Index num_molecules() const { return parts_.back().end; }
  void for_each_range(Index shard, const std::function<void(const MoleculeRange&)>& visit);

  Report report();
  /// Rows of --rejects.
  std::string rejected_rows();

 private:
  struct Part {
    std::string path, name;  ///< of the library, and of the input where there are several
    std::vector<std::string> columns;
    Index begin = 0, end = 0;  ///< its molecules, among all
    std::optional<Library> library = {};
  };
  const Library& open(Part& part);
  std::vector<NamedMolecule> named(Index first, Index last) const;

  std::string names_path_;
  std::vector<Part> parts_;
  std::vector<Index> begins_;  ///< of shards; one more than there are
};

}  // namespace quarry::cli
