/// The only file that knows SQLite. The database is in write-ahead mode: a process that is killed leaves it as it was after
/// the last commit, and since the texts of the outputs are in it, nothing else has to agree with it.
#include "quarry/files/ledger.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "util/checksum.hpp"
#include "util/files/mapped_file.hpp"
#include "util/stopwatch.hpp"

namespace quarry {
namespace {

constexpr int kApplicationId = 0x51524C47;  // "QRLG" in the header of the file
constexpr int kVersion = 1;
constexpr double kCommitSeconds = 0.1;
/// Of the SQLite library: bind the bytes of a text where they stand.
constexpr sqlite3_destructor_type kBorrowed = nullptr;

constexpr const char* kTables =
    "CREATE TABLE job (name TEXT, value TEXT);"
    "CREATE TABLE rows (number INTEGER PRIMARY KEY, part INTEGER, row INTEGER, id TEXT, status TEXT, key REAL);"
    // place = number * outputs + output
    "CREATE TABLE texts (place INTEGER PRIMARY KEY, text BLOB);"
    "CREATE TABLE sums (name TEXT PRIMARY KEY, value REAL);";

/// A database, and the errors of its calls.
class Database {
 public:
  explicit Database(const std::string& path) : path_(path) {
    const int status = sqlite3_open(path.c_str(), &handle_);
    if (status == SQLITE_OK) return;
    const std::string why = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(status);
    sqlite3_close(handle_);
    throw SystemError(fmt::format("the ledger '{}' cannot be opened: {}", path, why));
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { sqlite3_close_v2(handle_); }

  sqlite3* handle() const { return handle_; }
  const std::string& path() const { return path_; }
  void run(const char* commands) const { check(sqlite3_exec(handle_, commands, nullptr, nullptr, nullptr)); }
  void check(int status) const {
    if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE) return;
    if (status == SQLITE_NOTADB || status == SQLITE_CORRUPT)
      throw InputError(fmt::format("'{}' is no ledger, or is damaged: remove it to begin again", path_));
    if (status == SQLITE_BUSY) throw InputError(fmt::format("the ledger '{}' is used by another run", path_));
    throw SystemError(fmt::format("the ledger '{}' cannot be used: {}", path_, sqlite3_errmsg(handle_)));
  }

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// A prepared statement. Its values are bound from left to right, its columns read from left to right.
class Statement {
 public:
  Statement(const Database& database, const char* text) : database_(database) {
    database_.check(sqlite3_prepare_v2(database.handle(), text, -1, &handle_, nullptr));
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(handle_); }

  Statement& bind(Index number) { return bound(sqlite3_bind_int64(handle_, ++bound_, number)); }
  Statement& bind(double number) { return bound(sqlite3_bind_double(handle_, ++bound_, number)); }
  Statement& bind(const std::string& text) {
    return bound(sqlite3_bind_text64(handle_, ++bound_, text.data(), text.size(), kBorrowed, SQLITE_UTF8));
  }
  Statement& bind_bytes(const std::string& text) {
    return bound(sqlite3_bind_blob64(handle_, ++bound_, text.data(), text.size(), kBorrowed));
  }
  Statement& bind(const std::optional<double>& number) {
    return number ? bind(*number) : bound(sqlite3_bind_null(handle_, ++bound_));
  }
  /// @return whether there is a row
  bool step() {
    const int status = sqlite3_step(handle_);
    database_.check(status);
    return status == SQLITE_ROW;
  }
  void run() {
    step();
    sqlite3_reset(handle_);
    bound_ = 0;
  }

  Index index(int column) const { return sqlite3_column_int64(handle_, column); }
  double number(int column) const { return sqlite3_column_double(handle_, column); }
  bool is_null(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
  std::string text(int column) const {
    const void* const bytes = sqlite3_column_blob(handle_, column);
    return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), sqlite3_column_bytes(handle_, column));
  }

 private:
  Statement& bound(int status) {
    database_.check(status);
    return *this;
  }

  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
  int bound_ = 0;
};

Index one_number(const Database& database, const char* query) {
  Statement statement(database, query);
  return statement.step() ? statement.index(0) : 0;
}

void write_job(const Database& database, const Ledger::Job& job) {
  Statement insert(database, "INSERT INTO job VALUES (?, ?)");
  for (const auto& [name, value] : job) insert.bind(name).bind(value).run();
}

/// @throws LedgerMismatch  names the first difference
void compare_job(const Database& database, const Ledger::Job& job) {
  Ledger::Job before;
  Statement statement(database, "SELECT name, value FROM job ORDER BY rowid");
  while (statement.step()) before.emplace_back(statement.text(0), statement.text(1));
  if (before == job) return;
  const auto refuse = [&](const std::string& difference) {
    throw LedgerMismatch(fmt::format("the ledger '{}' is of another run: {}", database.path(), difference));
  };
  for (std::size_t i = 0; i < std::min(before.size(), job.size()); ++i) {
    const auto& [name, value] = job[i];
    if (before[i].first != name) refuse(fmt::format("it has {} where this run has {}", before[i].first, name));
    if (before[i].second != value) refuse(fmt::format("{} was {} and is {} now", name, before[i].second, value));
  }
  refuse("it was made by another version of this program");
}

}  // namespace

struct Ledger::Impl {
  Impl(const std::string& path, int outputs) : database(path), file(path), log(path + "-wal"), num_outputs(outputs) {}

  void prepare() {
    insert_row.emplace(database, "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)");
    insert_text.emplace(database, "INSERT INTO texts VALUES (?, ?)");
    add_sum.emplace(database,
                    "INSERT INTO sums VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value");
    drop_texts.emplace(database, "DELETE FROM texts WHERE place >= ? AND place < ?");
    num_rows = one_number(database, "SELECT count(*) FROM rows");
    Statement newest(database, "SELECT part, row FROM rows ORDER BY number DESC LIMIT 1");
    if (newest.step()) last = {newest.index(0), newest.index(1)};
    database.run("BEGIN");
  }

  Database database;
  std::string file, log;
  int num_outputs;
  std::optional<Statement> insert_row = {}, insert_text = {}, add_sum = {}, drop_texts = {};
  Index num_rows = 0;
  std::optional<std::pair<Index, Index>> last = {};
  Stopwatch since_commit = {};
};

Ledger::Ledger(const std::string& path, const Job& job, int num_outputs, bool resume, bool restart) {
  if (std::filesystem::exists(path) && !resume && !restart)
    throw InputError(fmt::format("the ledger '{}' is there already: resume its run, or remove it", path));
  impl_ = std::make_unique<Impl>(path, num_outputs);
  const Database& database = impl_->database;
  // Full durability at each commit would cost a flush of the disk; without it the last commits may be lost with the power,
  // and never the order among them.
  database.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.run("BEGIN EXCLUSIVE");
  if (one_number(database, "SELECT count(*) FROM sqlite_master") == 0) {
    database.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kVersion).c_str());
    database.run(kTables);
    write_job(database, job);
  } else if (one_number(database, "PRAGMA application_id") != kApplicationId) {
    throw InputError(fmt::format("'{}' is no ledger: it is a database of another program", path));
  } else if (one_number(database, "PRAGMA user_version") != kVersion) {
    throw InputError(fmt::format("the ledger '{}' was made by another version of this program", path));
  } else if (restart || one_number(database, "SELECT count(*) FROM rows") == 0) {  // which loses nothing
    database.run("DELETE FROM job; DELETE FROM rows; DELETE FROM texts; DELETE FROM sums");
    write_job(database, job);
  } else {
    compare_job(database, job);
  }
  database.run("COMMIT");
  impl_->prepare();
}

Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

void Ledger::add(const LedgerRow& row) {
  Impl& impl = *impl_;
  const std::pair position(row.part, row.row);
  if (impl.last != position && impl.since_commit.seconds() > kCommitSeconds) commit();
  const Index number = impl.num_rows++;
  impl.insert_row->bind(number).bind(row.part).bind(row.row).bind(row.id).bind(row.status).bind(row.key).run();
  for (Index i = 0; i < std::ssize(row.texts); ++i)
    if (!row.texts[i].empty()) impl.insert_text->bind(number * impl.num_outputs + i).bind_bytes(row.texts[i]).run();
  impl.last = position;
}

void Ledger::add_to_sum(const std::string& name, double number) { impl_->add_sum->bind(name).bind(number).run(); }

void Ledger::drop_texts(Index number) {
  impl_->drop_texts->bind(number * impl_->num_outputs).bind((number + 1) * impl_->num_outputs).run();
}

void Ledger::commit() {
  impl_->database.run("COMMIT; BEGIN");
  impl_->since_commit = {};
}

/// It is removed when the outputs are there, where lack of memory must not make an error of a run: nothing is allocated.
void Ledger::remove() {
  const std::string path = std::move(impl_->file), log = std::move(impl_->log);
  // What SQLite has beside the file needs no place in it any more.
  sqlite3_db_config(impl_->database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  impl_.reset();
  // A database without its log may be half written, and a log without its database is removed by SQLite.
  if (::unlink(path.c_str()) != 0)
    throw SystemError(
        fmt::format("the ledger '{}' cannot be removed: {}", path, std::generic_category().message(errno)));
  (void)::unlink(log.c_str());
}

Index Ledger::num_rows() const { return impl_->num_rows; }

Index Ledger::count(const std::string& status) const {
  Statement statement(impl_->database, "SELECT count(*) FROM rows WHERE status = ?");
  return statement.bind(status).step() ? statement.index(0) : 0;
}

double Ledger::sum(const std::string& name) const {
  Statement statement(impl_->database, "SELECT value FROM sums WHERE name = ?");
  return statement.bind(name).step() ? statement.number(0) : 0;
}

std::optional<std::pair<Index, Index>> Ledger::last() const { return impl_->last; }

void Ledger::for_each(const std::function<void(Index, const LedgerRow&)>& visit) const {
  Statement statement(impl_->database, "SELECT number, part, row, id, status, key FROM rows ORDER BY number");
  while (statement.step()) {
    LedgerRow row{statement.index(1), statement.index(2), statement.text(3), statement.text(4)};
    if (!statement.is_null(5)) row.key = statement.number(5);
    visit(statement.index(0), row);
  }
}

void Ledger::for_each_text(int output, bool by_key, const std::function<void(const std::string&)>& visit) const {
  const Index outputs = impl_->num_outputs;
  Statement statement(impl_->database,
                      by_key ? "SELECT text FROM rows JOIN texts ON place = number * ? + ? ORDER BY key, number"
                             : "SELECT text FROM texts WHERE place % ? = ? ORDER BY place");
  statement.bind(outputs).bind(Index{output});
  while (statement.step()) visit(statement.text(0));
}

std::string identity_of_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) == 0 && !error)
    return "0 bytes";
  const MappedFile file(path);
  return fmt::format("{} bytes, checksum {:016x}", file.bytes().size(), checksum_of(file.bytes()));
}

}  // namespace quarry
