#include "output/pairs/binary_formats.hpp"

#include <fmt/format.h>

#include <utility>

#include "output/numpy_files.hpp"
#include "output/pairs/hit_records.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

class HitsFile : public RowFile {
 public:
  HitsFile(const std::string& path, const match::HitsHeader& header) : writer_(path, header) {}

  void write(std::string_view rows) override {
    for_each_hit_record(
        rows, [&](const HitRecord& record) { writer_.add(record.name, record.hits, record.mappings, record.offsets); });
  }
  void finish() override { writer_.finish(); }

 private:
  match::HitsWriter writer_;
};

/// A row for each molecule and a column for each query; a value is the number of embeddings. Names stand beside, one a
/// line.
class MatrixFile : public RowFile {
 public:
  MatrixFile(const std::string& path, const std::vector<match::HitsQuery>& queries)
      : file_(path, std::ssize(queries), {"molecules", "queries"}) {
    for (std::size_t i = 0; i < queries.size(); ++i) add_name(1, queries[i].id, i == 0);
  }

  void write(std::string_view rows) override {
    for_each_hit_record(rows, [&](const HitRecord& record) {
      columns_.clear();
      counts_.clear();
      for (const match::Hit& hit : record.hits) {
        columns_.push_back(hit.query);
        counts_.push_back(hit.embeddings);
      }
      file_.add_row(columns_, counts_);
      add_name(0, record.name, std::exchange(is_first_, false));
    });
  }
  void finish() override { file_.finish(); }

 private:
  void add_name(std::size_t array, std::string_view name, bool is_first) {
    if (!is_first) file_.add_text(array, "\n");
    file_.add_text(array, tab_safe(name));
  }

  SparseFile<std::int64_t> file_;
  bool is_first_ = true;
  std::vector<std::int64_t> columns_, counts_;
};

/// What both have in common: rows are records of all molecules, also those without hits.
class BinaryFormat : public HitFormat {
 public:
  explicit BinaryFormat(const HitFormatOptions& options)
      : header_{options.mode, match::hits_queries(options.queries)} {}

  bool writes_pairs() const override { return true; }
  bool writes_every_molecule() const override { return true; }
  void append(const MoleculeHits& molecule, std::string& text) const override { append_hit_record(molecule, text); }

 protected:
  match::HitsHeader header_;
};

class HitsFormat : public BinaryFormat {
 public:
  using BinaryFormat::BinaryFormat;
  bool needs_every_name() const override { return false; }
  std::unique_ptr<RowFile> open(const std::string& path) const override {
    return std::make_unique<HitsFile>(path, header_);
  }
};

class MatrixFormat : public BinaryFormat {
 public:
  using BinaryFormat::BinaryFormat;
  std::unique_ptr<RowFile> open(const std::string& path) const override {
    return std::make_unique<MatrixFile>(path, header_.queries);
  }
};

}  // namespace

bool is_binary_format(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".qhits" || extension == ".npz";
}

std::unique_ptr<HitFormat> make_binary_format(const std::string& path, const HitFormatOptions& options) {
  if (extension_of(path) == ".qhits") return std::make_unique<HitsFormat>(options);
  if (!lower_case(path).ends_with(".npz"))
    throw InputError(fmt::format("'{}': a .npz file is an archive already, name it without compression", path));
  return std::make_unique<MatrixFormat>(options);
}

}  // namespace quarry::cli
