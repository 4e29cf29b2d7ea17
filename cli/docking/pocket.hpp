/// Where to dock: the options that name a pocket.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "docking/targets.hpp"

namespace quarry::cli {

class PocketOptions {
 public:
  void add_to(Arguments& verb);
  /// Whether --targets names the receptors.
  bool names_receptors() const { return !targets_.empty(); }
  bool finds_pockets() const { return num_pockets_.has_value(); }
  /// @throws InputError  none or several of the options are given, or one cannot be understood
  void check() const;
  /// For a job that has no pocket, or its own. @throws InputError  one of the options is given
  void refuse(const std::string& job) const;
  /// @param receptor_path  empty with --targets
  /// @throws InputError  a file cannot be read, or there is no pocket
  std::vector<DockTarget> targets(const std::string& receptor_path, const ReceptorOptions& options) const;
  /// The cavities of --find-pockets.
  std::vector<dock::Pocket> pockets(const std::string& receptor_path, const ReceptorOptions& options) const;

 private:
  /// The options that are given.
  std::vector<std::string> given() const;

  std::string autobox_, center_, size_, box_, targets_;
  std::optional<double> pad_;
  std::optional<Index> num_pockets_;
};

}  // namespace quarry::cli
