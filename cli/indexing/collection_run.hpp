/// One run of `quarry index` that makes a collection, or adds to one.
#pragma once
#include <string>
#include <vector>

#include "output/progress.hpp"
#include "quarry/collection.hpp"
#include "quarry/library.hpp"

namespace quarry::cli {

struct CollectionOptions {
  std::string path;                 ///< of the collection
  std::vector<std::string> inputs;  ///< names, each once
  std::vector<std::string> fetch;   ///< the words of --fetch; empty: inputs are files
  ReadOptions read;                 ///< with `command`
  Index part_rows = kPartRows;
  bool restart = false, quiet = false;
  bool is_shard = false;  ///< what is said of a collection as a whole, and checked, is for `join_collections`
};

/// What was read and written by this run; what the collection holds is in its manifest.
struct CollectionTotals {
  Collection collection;
  Audit audit;
  Index parts_kept = 0;  ///< that were there
  Index equal_ids = 0;
  double read_seconds = 0, write_seconds = 0;
};

/// Equal ids and rejected rows are said before the manifest is written, for --strict.
/// @throws InputError  an input is missing or has changed, or is not given again; as MoleculeSource and check_run
CollectionTotals make_collection(const CollectionOptions& options, ProgressLine& progress);

/// The same of collections that are shards of the inputs, in their order.
/// @throws InputError  as CollectionWriter::join and `make_collection`
CollectionTotals join_collections(const CollectionOptions& options, const std::vector<std::string>& shards);

}  // namespace quarry::cli
