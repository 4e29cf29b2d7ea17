/// What the command line of `quarry dock` says.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "arguments/files.hpp"
#include "arguments/resume.hpp"
#include "common.hpp"
#include "docking/pocket.hpp"
#include "quarry/dock.hpp"

namespace quarry::cli {

/// Which of its jobs `dock` does.
enum class DockJob { dock, list_pockets, score, minimize, redock };

struct DockOptions {
  void add_to(Arguments& verb);
  /// Chooses the job, and checks what goes with what. To be called once, after parsing.
  void check();

  /// @param listed  files that the run reads beside those that the command line names. @throws InputError  as check_files
  void check_outputs(const std::vector<std::string>& listed) const { check_files(*arguments, listed); }

  const Arguments* arguments = nullptr;  ///< that `add_to` was called for
  DockJob job = DockJob::dock;
  std::string receptor_path;
  std::vector<std::string> ligands_paths;
  ReceptorOptions receptor;
  LigandOptions ligands;
  PocketOptions pocket;
  dock::Options dock;  ///< complete after `check`
  std::string effort = "standard", scoring = "vina";
  std::string poses_path, table_path, rejects_path, labels_path, plot_path, redock_folder;
  ResumeOptions resume;
  Index top = 0;
  Index shard = 0, num_shards = 1;  ///< shard from 0
  bool explain = false, prepare = false, json = false, quiet = false;

 private:
  void add_inputs(Arguments& verb);
  void add_search(Arguments& verb);
  void add_outputs(Arguments& verb);
  void choose_job();
  void take_inputs();
  void take_search();
  void check_outputs();

  std::vector<std::string> inputs_;
  std::string shard_text_, divisor_ = "paper";
  bool score_only_ = false, minimize_ = false;
  std::optional<Index> restarts_, iterations_, max_poses_;
  Index num_poses_ = 9;
  DeviceOptions device_;
};

}  // namespace quarry::cli
