#include "output/pairs/per_molecule_rows.hpp"

#include <string_view>

#include "output/json.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// What stands between the values of a row.
struct MoleculeStyle {
  std::string (*cell)(std::string_view) = tsv_safe;
  std::string_view header = {}, before_molecule = {};
  std::string_view before_alerts, before_queries, between_queries, end;
  bool cells_in_list = false;  ///< each id of the list is a cell, not the list as a whole
};

constexpr MoleculeStyle kMoleculeTabs = {.header = "molecule\talerts\tqueries\n",
                                         .before_alerts = "\t",
                                         .before_queries = "\t",
                                         .between_queries = ";",
                                         .end = "\n"};
constexpr MoleculeStyle kMoleculeCommas = {.cell = csv_safe,
                                           .header = "molecule,alerts,queries\n",
                                           .before_alerts = ",",
                                           .before_queries = ",",
                                           .between_queries = ";",
                                           .end = "\n"};
constexpr MoleculeStyle kMoleculeObjects = {.cell = json_text,
                                            .before_molecule = "{\"molecule\":",
                                            .before_alerts = ",\"alerts\":",
                                            .before_queries = ",\"queries\":[",
                                            .between_queries = ",",
                                            .end = "]}\n",
                                            .cells_in_list = true};

class PerMoleculeRows : public HitFormat {
 public:
  PerMoleculeRows(const MoleculeStyle& style, const std::vector<match::HitsQuery>& queries) : style_(style) {
    for (const match::HitsQuery& query : queries) ids_.push_back(style.cells_in_list ? style.cell(query.id) : query.id);
  }

  std::string header() const override { return std::string(style_.header); }

  void append(const MoleculeHits& molecule, std::string& text) const override {
    std::string names;
    Index num_alerts = 0;
    for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
      if (!molecule.hit(i).matched()) continue;
      if (num_alerts++ > 0) names += style_.between_queries;
      names += ids_[molecule.hit(i).query];
    }
    text.append(style_.before_molecule).append(style_.cell(molecule.name)).append(style_.before_alerts);
    append_number(num_alerts, text);
    text.append(style_.before_queries).append(style_.cells_in_list ? names : style_.cell(names)).append(style_.end);
  }

 private:
  const MoleculeStyle& style_;
  std::vector<std::string> ids_;  // [queries]
};

}  // namespace

std::unique_ptr<HitFormat> make_per_molecule_rows(const std::string& extension,
                                                  const std::vector<match::HitsQuery>& queries) {
  if (extension.empty() || extension == ".tsv") return std::make_unique<PerMoleculeRows>(kMoleculeTabs, queries);
  if (extension == ".csv") return std::make_unique<PerMoleculeRows>(kMoleculeCommas, queries);
  if (extension == ".jsonl") return std::make_unique<PerMoleculeRows>(kMoleculeObjects, queries);
  return nullptr;
}

}  // namespace quarry::cli
