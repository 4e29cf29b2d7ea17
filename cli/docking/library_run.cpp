#include "docking/library_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "docking/box_warnings.hpp"
#include "input/read_notes.hpp"
#include "input/receptor.hpp"
#include "output/text.hpp"
#include "output/warnings.hpp"

namespace quarry::cli {
namespace {

/// Rejected rows that are named on standard error; --rejects names all.
constexpr Index kMaxComplaints = 10;

const char* status_name(dock::Status status) {
  return status == dock::Status::ok ? "ok" : status == dock::Status::truncated ? "truncated" : "rejected";
}

}  // namespace

LibraryRun::LibraryRun(const DockOptions& options, std::vector<DockTarget> targets)
    : options_(options), targets_(std::move(targets)), end_row_(std::numeric_limits<Index>::max()) {
  if (!options.labels_path.empty()) labels_.emplace(options.labels_path);
  make_formats();
  const int num_outputs = pose_format_.has_value() + table_.has_value() + !options.rejects_path.empty();
  open_ledger(num_outputs);
  outputs_.emplace(options.top, ledger_ ? &*ledger_ : nullptr);
}

LibraryRun::LibraryRun(const DockOptions& options, std::vector<DockTarget> targets, ShardSink& shard, bool with_header)
    : options_(options),
      targets_(std::move(targets)),
      with_header_(with_header),
      end_row_(std::numeric_limits<Index>::max()) {
  make_formats();
  outputs_.emplace(shard);
}

void LibraryRun::make_formats() {
  if (!options_.poses_path.empty()) pose_format_.emplace(options_.poses_path, options_.dock.search.seed);
  if (!options_.table_path.empty()) table_.emplace(options_.table_path);
}

void LibraryRun::open_ledger(int num_outputs) {
  std::vector<std::pair<std::string, std::string>> receptors;  // that the command line does not name
  if (options_.pocket.names_receptors())
    for (const DockTarget& target : targets_)
      receptors.emplace_back(fmt::format("the receptor of '{}'", target.name), target.receptor_path);
  const std::string& first_output = options_.poses_path.empty() ? options_.table_path : options_.poses_path;
  ledger_ = options_.resume.open(first_output, num_outputs, receptors);
}

void LibraryRun::add_files() {
  const auto add = [&](const std::string& path, const std::string& header) {
    outputs_->add_file(path, with_header_ ? header : "");
  };
  if (pose_format_) add(options_.poses_path, "");
  if (table_) add(options_.table_path, table_->header(cells_of({}, targets_have_names(), options_.explain)));
  if (!options_.rejects_path.empty())
    add(options_.rejects_path, rows_for_file("row\tline\tid\tstage\treason\n", options_.rejects_path));
  outputs_->load();
}

void LibraryRun::resume() {
  if (!ledger_ || ledger_->num_rows() == 0) return;
  totals_.resumed = totals_.report.rows = ledger_->num_rows();
  totals_.report.rejected = ledger_->count(status_name(dock::Status::rejected));
  totals_.report.ok = totals_.report.rows - totals_.report.rejected;
  totals_.truncated = ledger_->count(status_name(dock::Status::truncated));
  totals_.poses = std::llround(ledger_->sum("poses"));
  totals_.cpu_seconds = ledger_->sum("cpu_seconds");
  if (!labels_) return;
  ledger_->for_each([&](Index, const LedgerRow& row) { labels_->add(row.id, row.key); });
}

void LibraryRun::find_range() {
  if (options_.num_shards == 1) return;
  LigandReader reader(options_.ligands_paths, options_.ligands);
  rows_of_target_ = reader.count_rows();
  const Index rows = rows_of_target_ * std::ssize(targets_);
  first_row_ = rows * options_.shard / options_.num_shards;
  end_row_ = rows * (options_.shard + 1) / options_.num_shards;
}

/// Before anything is docked: what is wrong with a receptor or a box ends the run.
void LibraryRun::check_targets() {
  for (const DockTarget& target : targets_) {
    try {
      enter(target);
      dock::check_box(receptor_, target.box);
    } catch (const InputError& error) {
      throw InputError(fmt::format("target '{}': {}", target.name, error.what()), error.option());
    }
  }
  for (const DockTarget& target : targets_)
    if (!options_.quiet) say(fmt::format("target '{}': box {}\n", target.name, to_text(target.box)));
}

void LibraryRun::run() {
  progress_.emplace("dock", options_.quiet, "ligand");
  add_files();
  resume();
  find_range();
  if (targets_have_names()) check_targets();
  const Index first_part = ledger_ && ledger_->last() ? ledger_->last()->first : 0;
  for (Index part = 0; part < std::ssize(targets_); ++part) {
    if (!targets_have_names()) enter(targets_[part]);
    read_receptor_of(targets_[part]);
    if (part >= first_part) dock(targets_[part], part);
  }
  progress_.reset();
  if (num_complaints_ > kMaxComplaints)
    complain(fmt::format("and {} more (--rejects FILE names all)", counted(num_complaints_ - kMaxComplaints, "row")));
  if (num_left_out_ > 0)
    warn(fmt::format("smaller components with carbon or a transition metal were not docked, of {}; the first: {}",
                     counted(num_left_out_, "ligand"), first_left_out_),
         options_.quiet);
  if (num_one_of_several_ > 0)
    warn(fmt::format("stereo centres or double bonds are left open in {}, and one form of each was docked; the first: "
                     "'{}' (quarry index --3d --stereo N makes up to N forms)",
                     counted(num_one_of_several_, "ligand"), first_one_of_several_),
         options_.quiet);
  say_equal_ids(ids_, "their rows and poses cannot be told apart by it", options_.quiet);
  say_notes(options_.ligands_paths.back(), notes_, options_.ligands.id_column, options_.quiet);
  const Stopwatch writing;
  outputs_->finish();
  totals_.seconds.write += writing.seconds();
}

void LibraryRun::read_receptor_of(const DockTarget& target) {
  if (receptor_path_ == target.receptor_path) return;
  const Stopwatch preparing;
  receptor_ = read_receptor(target.receptor_path, options_.receptor);
  receptor_path_ = target.receptor_path;
  totals_.receptor_atoms = std::ssize(receptor_.atoms);
  totals_.seconds.prepare += preparing.seconds();
}

void LibraryRun::enter(const DockTarget& target) {
  const bool is_new = receptor_path_ != target.receptor_path;
  read_receptor_of(target);
  const Stopwatch preparing;
  if (is_new) warn_of(receptor_, target.receptor_path);
  totals_.boxes.emplace_back(target.name, target.box);
  totals_.grid_spacing =
      std::max(totals_.grid_spacing.value_or(0),
               checked_grid_spacing(target.box, target.name.empty() ? "" : " of '" + target.name + "'"));
  warn_of_ligand(target, receptor_);
  totals_.seconds.prepare += preparing.seconds();
}

void LibraryRun::dock(const DockTarget& target, Index part) {
  const Index rows_before_part = part * rows_of_target_;  // of all that the shards share
  const Index first_row = std::max<Index>(0, first_row_ - rows_before_part);
  end_row_of_part_ = end_row_ - rows_before_part;
  if (end_row_of_part_ <= first_row) return;
  LigandReader reader(options_.ligands_paths, options_.ligands);
  dock::Options options = options_.dock;
  const Index rows_before = totals_.report.rows - totals_.resumed;
  options.progress = [&](Index done, Index) {
    progress_->update(rows_before + done, bytes_of(done), reader.bytes_total());
  };
  const Stopwatch gridding;
  const dock::Docker docker(receptor_, target.box, options);
  totals_.seconds.grids += gridding.seconds();

  const bool begun = ledger_ && ledger_->last() && ledger_->last()->first == part;
  next_row_ = begun ? ledger_->last()->second + 1 : first_row;
  if (next_row_ > 0) reader.skip_to(next_row_);
  reads_.clear();
  reached_ = {0, reader.bytes_read()};
  rows_read_ = 0;
  totals_.add(docker.run([&] { return next_rows(reader); },
                         [&](const LigandRow& row, const dock::Result& result) { take(target, part, row, result); }));
  notes_ = reader.notes();
}

std::vector<LigandRow> LibraryRun::next_rows(LigandReader& reader) {
  if (next_row_ >= end_row_of_part_) return {};
  const Stopwatch reading;
  std::vector<LigandRow> rows = reader.next();
  if (!rows.empty()) next_row_ = rows.back().row + 1;
  std::erase_if(rows, [&](const LigandRow& row) { return row.row >= end_row_of_part_; });
  totals_.seconds.read += reading.seconds();
  const std::scoped_lock lock(reading_);
  rows_read_ += std::ssize(rows);
  reads_.push_back({rows_read_, reader.bytes_read()});
  return rows;
}

/// Bytes of the input that a number of rows of the target takes up: rows are read some hundreds at a time, and docked one by
/// one.
Index LibraryRun::bytes_of(Index rows) {
  const std::scoped_lock lock(reading_);
  while (!reads_.empty() && reads_.front().rows < rows) {
    reached_ = reads_.front();
    reads_.pop_front();
  }
  if (reads_.empty() || rows <= reached_.rows) return reached_.bytes;
  const ReadSum& next = reads_.front();
  return reached_.bytes + (next.bytes - reached_.bytes) * (rows - reached_.rows) / (next.rows - reached_.rows);
}

void LibraryRun::take(const DockTarget& target, Index part, const LigandRow& row, const dock::Result& result) {
  const Stopwatch writing;
  const bool rejected = result.status == dock::Status::rejected;
  ScoreRow score_row = {.target = target.name,
                        .id = row.id,
                        .status = status_name(result.status),
                        .stage = result.stage,
                        .reason = result.reason,
                        .ligand = row.ok() ? &row.ligand : nullptr,
                        .best = rejected ? nullptr : &result.poses.front(),
                        .poses = std::ssize(result.poses),
                        .cpu_seconds = result.cpu_seconds};
  LedgerRow all = {.part = part, .row = row.row, .id = row.id, .status = score_row.status};
  if (!rejected) all.key = result.poses.front().score.score;
  all.texts = texts_of(target, row, result, score_row);
  if (labels_) labels_->add(row.id, all.key);
  outputs_->add(std::move(all));
  if (ledger_) ledger_->add_to_sum("poses", static_cast<double>(score_row.poses));
  const double cpu_seconds = rejected ? 0 : result.cpu_seconds;  // of rows that are counted
  if (ledger_) ledger_->add_to_sum("cpu_seconds", cpu_seconds);

  if (&target == &targets_.front()) note(row);
  totals_.report.rows += 1;
  (rejected ? totals_.report.rejected : totals_.report.ok) += 1;
  totals_.truncated += result.status == dock::Status::truncated ? 1 : 0;
  totals_.poses += score_row.poses;
  totals_.cpu_seconds += cpu_seconds;
  if (rejected && !options_.quiet && num_complaints_++ < kMaxComplaints)
    complain(fmt::format("row {} ('{}') rejected: {}: {}", row.row + 1, row.id, result.stage, result.reason));
  totals_.seconds.write += writing.seconds();
}

void LibraryRun::note(const LigandRow& row) {
  ids_.name_of(row.id, row.row + 1);
  if (!row.left_out.empty() && num_left_out_++ == 0) first_left_out_ = fmt::format("{} of '{}'", row.left_out, row.id);
  if (row.is_one_of_several && num_one_of_several_++ == 0) first_one_of_several_ = row.id;
}

/// In the order in which files are added.
std::vector<std::string> LibraryRun::texts_of(const DockTarget& target, const LigandRow& row,
                                              const dock::Result& result, const ScoreRow& score_row) const {
  const bool rejected = score_row.best == nullptr;
  std::vector<std::string> texts;
  if (pose_format_) texts.push_back(rejected ? "" : pose_format_->text(row.ligand, result.poses, target.name));
  if (table_) {
    const bool shown = !rejected || options_.top == 0;
    texts.push_back(shown ? table_->row(cells_of(score_row, targets_have_names(), options_.explain)) : "");
  }
  if (!options_.rejects_path.empty())
    texts.push_back(rejected ? rows_for_file(fmt::format("{}\t{}\t{}\t{}\t{}\n", row.row + 1, row.line,
                                                         tab_safe(row.id), result.stage, tab_safe(result.reason)),
                                             options_.rejects_path)
                             : "");
  return texts;
}

}  // namespace quarry::cli
