/// Output formats of `quarry similar`: tables (tsv, csv), one object per pair (jsonl).
#include "output/tables/neighbour_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output/json.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

class NeighbourTable : public NeighbourFormat {
 public:
  explicit NeighbourTable(char separator) : separator_(separator) {}
  std::string header() const override { return fmt::format("query{0}molecule{0}similarity\n", separator_); }
  void append(std::string_view query, std::string_view molecule, float similarity, std::string& text) const override {
    text += fmt::format("{1}{0}{2}{0}{3}\n", separator_, cell_of(query, separator_), cell_of(molecule, separator_),
                        similarity);
  }

 private:
  char separator_;
};

class NeighbourLines : public NeighbourFormat {
 public:
  void append(std::string_view query, std::string_view molecule, float similarity, std::string& text) const override {
    // The double with the shortest text: 0.7f would be printed as 0.699999988079071.
    const double shortest = std::stod(fmt::format("{}", similarity));
    text += Json({{"query", query}, {"molecule", molecule}, {"similarity", shortest}}).line();
  }
};

}  // namespace

std::unique_ptr<NeighbourFormat> make_neighbour_format(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension.empty() || extension == ".tsv") return std::make_unique<NeighbourTable>('\t');
  if (extension == ".csv") return std::make_unique<NeighbourTable>(',');
  if (extension == ".jsonl") return std::make_unique<NeighbourLines>();
  throw InputError(fmt::format(
      "'{}' names no output format: use .tsv, .csv or .jsonl, each also with .gz, .zst, .bz2 or .xz; of a matrix also "
      ".npy or .npz",
      path));
}

void append_rows(const similar::Neighbours& found, SparseFile<float>& file) {
  std::vector<std::int64_t> columns;
  std::vector<float> values;
  for (std::size_t row = 0; row + 1 < found.offsets.size(); ++row) {
    std::vector<similar::Neighbour> items(found.items.begin() + found.offsets[row],
                                          found.items.begin() + found.offsets[row + 1]);
    std::ranges::sort(items, {}, &similar::Neighbour::molecule);
    columns.clear();
    values.clear();
    for (const auto& [molecule, similarity] : items) {
      columns.push_back(molecule);
      values.push_back(static_cast<float>(similarity));
    }
    file.add_row(columns, values);
  }
}

}  // namespace quarry::cli
