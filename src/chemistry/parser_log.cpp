/// Captures RDKit's error log.
#include "chemistry/parser_log.hpp"

#include <RDGeneral/RDLog.h>
#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <sstream>
#include <utility>

#include "util/ascii.hpp"

namespace quarry {
namespace {

/// A shared lock that many readers cannot keep from a writer: they pass the gate, which a waiting writer holds.
/// PERF: two uncontended locks, 40 ns beside a parse of 60 us.
struct LogLock {
  std::mutex gate;
  std::shared_mutex parsing;
};

LogLock& log_lock() {
  static LogLock lock;
  // A fork waits for parsers at work. Its child has none of the threads that wait for the lock, and begins with a new one.
  [[maybe_unused]] static const int registered = [] {
    const auto take = [] {
      lock.gate.lock();
      lock.parsing.lock();
    };
    const auto let_go = [] {
      lock.parsing.unlock();
      lock.gate.unlock();
    };
    return pthread_atfork(take, let_go, [] { new (&lock) LogLock; });
  }();
  return lock;
}

/// Logs without a destination stay silent also where RDKit turns them on for a while, as embedding does.
void silence_rdkit() {
  [[maybe_unused]] static const bool silent = [] {
    if (!rdErrorLog) RDLog::InitLogs();
    boost::logging::disable_logs("rdApp.*");
    for (const RDLogger& log : {rdDebugLog, rdInfoLog, rdWarningLog, rdErrorLog}) {
      if (log) log->dp_dest = nullptr;
    }
    return true;
  }();
}

/// "[12:34:56] SMILES Parse Error: ..." without the time, and not with all of a long SMILES.
std::string first_line(const std::string& log) {
  constexpr std::size_t kMostShown = 300;
  std::string line = log.substr(0, log.find('\n'));
  if (line.starts_with("[")) line.erase(0, line.find_first_not_of(' ', line.find(']') + 1));
  return shown(line, kMostShown);
}

}  // namespace

ParserGuard::ParserGuard() {
  silence_rdkit();
  const std::lock_guard<std::mutex> pass(log_lock().gate);
  log_lock().parsing.lock_shared();
}

ParserGuard::~ParserGuard() { log_lock().parsing.unlock_shared(); }

std::string parser_complaint(const std::function<void()>& parse) {
  silence_rdkit();
  const std::lock_guard<std::mutex> gate(log_lock().gate);
  const std::lock_guard<std::shared_mutex> alone(log_lock().parsing);
  std::ostringstream text;
  const auto before = std::exchange(rdErrorLog, std::make_shared<boost::logging::rdLogger>(&text));
  try {
    parse();
  } catch (...) {
    rdErrorLog = before;
    throw;
  }
  rdErrorLog = before;
  return first_line(text.str());
}

std::string one_line(std::string text) {
  text.resize(std::min(text.find_first_of("\r\n"), text.size()));
  return text.empty() ? "RDKit gives no reason" : text;
}

}  // namespace quarry
