/// Which molecules are active and which are decoys, and how well scores tell them apart.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>

#include "output/json.hpp"
#include "quarry/dock.hpp"

namespace quarry::cli {

class Labels {
 public:
  /// Reads `id label` with a tab, comma or blanks between; further columns are ignored. A first row of these two names may
  /// stand above.
  /// @throws InputError  another label than `active` and `decoy`, an id twice (names file and line), or no active or decoy
  explicit Labels(const std::string& path);
  /// Keeps the best score of an id. Molecules without a label are counted, and not used.
  /// @param score  nothing: the molecule was rejected, and ranks below all others
  void add(const std::string& id, std::optional<double> score);
  /// Of the molecules that were added. @throws InputError  there is no active or no decoy
  dock::Enrichment enrichment() const;
  /// Says which molecules are without a label, and which labels without a molecule.
  void warn() const;

 private:
  struct Entry {
    bool active;
    std::optional<double> score = {};  ///< nothing: no such molecule was added
  };
  std::string path_;
  std::unordered_map<std::string, Entry> entries_;
  Index num_unlabelled_ = 0;
};

Json json_of(const dock::Enrichment& enrichment);

/// The ROC curve as a picture.
std::string roc_svg(const dock::Enrichment& enrichment);

}  // namespace quarry::cli
