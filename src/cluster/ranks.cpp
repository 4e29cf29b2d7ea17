#include "cluster/ranks.hpp"

#ifdef QUARRY_MPI
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>
#endif

namespace quarry::cluster {

#ifdef QUARRY_MPI
namespace {

constexpr int kFound = 1, kEnd = 2;  // tags of messages to rank 0

/// What a unit has found, as one message.
class Parcel final : public ShardSink {
 public:
  explicit Parcel(Index unit) { append(unit); }
  explicit Parcel(std::vector<char> bytes) : bytes_(std::move(bytes)) {}

  void write(int output, std::string_view text) override {
    append(Index{output});
    append(text);
  }
  void set(const std::string& name, const std::string& number) override {
    append(Index{-1});
    append(name);
    append(number);
  }
  std::vector<char>& bytes() { return bytes_; }

  Index take_unit() { return take_index(); }
  void unpack(ShardSink& sink) {
    while (at_ < bytes_.size()) {
      const Index output = take_index();
      const std::string_view text = take_text();
      if (output >= 0)
        sink.write(static_cast<int>(output), text);
      else
        sink.set(std::string(text), std::string(take_text()));
    }
  }

 private:
  void append(Index number) {
    const auto* const first = reinterpret_cast<const char*>(&number);
    bytes_.insert(bytes_.end(), first, first + sizeof number);
  }
  void append(std::string_view text) {
    append(static_cast<Index>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  Index take_index() {
    Index number = 0;
    std::memcpy(&number, bytes_.data() + at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string_view take_text() {
    const auto size = static_cast<std::size_t>(take_index());
    at_ += size;
    return {bytes_.data() + at_ - size, size};
  }

  std::vector<char> bytes_;
  std::size_t at_ = 0;
};

/// The next unit, in memory of rank 0 that all ranks add to.
class Counter {
 public:
  explicit Counter(int rank) {
    MPI_Win_allocate(rank == 0 ? sizeof(Index) : 0, sizeof(Index), MPI_INFO_NULL, MPI_COMM_WORLD, &next_, &window_);
    if (rank == 0) *next_ = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window_);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  ~Counter() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  Index take(Index step = 1) {
    Index unit = 0;
    MPI_Fetch_and_op(&step, &unit, MPI_INT64_T, 0, 0, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return unit;
  }

 private:
  Index* next_ = nullptr;
  MPI_Win window_{};
};

void send(const std::vector<char>& bytes, int tag) {
  // One message has less than 2 GiB; what is longer comes in pieces, in order, a shorter one last.
  constexpr std::size_t kPieceBytes = std::size_t{1} << 30;
  for (std::size_t at = 0;; at += kPieceBytes) {
    const std::size_t size = std::min(kPieceBytes, bytes.size() - at);
    MPI_Send(bytes.data() + at, static_cast<int>(size), MPI_CHAR, 0, tag, MPI_COMM_WORLD);
    if (size < kPieceBytes) return;
  }
}

std::string sentence_of(const std::function<void()>& work) {
  try {
    work();
    return "";
  } catch (const std::exception& error) {
    return *error.what() != '\0' ? error.what() : "it failed";
  }
}

/// Rank 0: receives what others find, while a thread of its own searches too.
class Collector {
 public:
  Collector(Job& job, int size) : job_(job), others_(size - 1) {}

  /// Until every rank has said that it has no more.
  void run() {
    constexpr std::chrono::milliseconds kPause(1);
    while (others_ > 0)
      if (!receive()) std::this_thread::sleep_for(kPause);
  }
  void keep(Parcel& parcel) {
    const Index unit = parcel.take_unit();
    const std::lock_guard lock(job_mutex_);
    job_.work(unit, [&](ShardSink& sink) { parcel.unpack(sink); });
  }
  void fail(const std::string& sentence) {
    const std::lock_guard lock(job_mutex_);
    if (sentence_.empty()) sentence_ = sentence;
  }
  std::string sentence() {
    const std::lock_guard lock(job_mutex_);
    return sentence_;
  }
  std::mutex& mpi() { return mpi_mutex_; }

 private:
  bool receive() {
    std::vector<char> bytes;
    MPI_Status status{};
    {
      const std::lock_guard lock(mpi_mutex_);
      int arrived = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &status);
      if (arrived == 0) return false;
      for (int size = 1 << 30; size == 1 << 30;) {
        MPI_Probe(status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_CHAR, &size);
        bytes.resize(bytes.size() + size);
        MPI_Recv(bytes.data() + bytes.size() - size, size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      }
    }
    if (status.MPI_TAG == kEnd) {
      --others_;
      if (!bytes.empty()) fail({bytes.begin(), bytes.end()});
    } else if (sentence().empty()) {
      Parcel parcel(std::move(bytes));
      if (const auto why = sentence_of([&] { keep(parcel); }); !why.empty()) fail(why);
    }
    return true;
  }

  Job& job_;
  int others_;
  std::string sentence_;
  std::mutex job_mutex_, mpi_mutex_;
};

}  // namespace

Ranks::Ranks() {
  // Without these of mpirun or srun, MPI would start daemons of its own for one process.
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr && std::getenv("PMIX_RANK") == nullptr &&
      std::getenv("PMI_RANK") == nullptr)
    return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (provided < MPI_THREAD_SERIALIZED) throw SystemError("this MPI allows no second thread");
}

Ranks::~Ranks() {
  int begun = 0;
  MPI_Initialized(&begun);
  if (begun != 0) MPI_Finalize();
}

bool Ranks::together(const std::function<void()>& work) const {
  std::string sentence = sentence_of(work);
  if (size_ == 1) {
    if (!sentence.empty()) throw InputError(sentence);
    return true;
  }
  const int own = sentence.empty() ? size_ : rank_;
  int first = size_;
  MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size_) return true;
  int bytes = static_cast<int>(sentence.size());
  MPI_Bcast(&bytes, 1, MPI_INT, first, MPI_COMM_WORLD);
  sentence.resize(bytes);
  MPI_Bcast(sentence.data(), bytes, MPI_CHAR, first, MPI_COMM_WORLD);
  if (rank_ == 0) throw InputError(sentence);
  return false;
}

bool Ranks::run(Job& job, const std::function<void(Index, ShardSink&)>& search) {
  const Index num_units = job.plan().num_shards;
  std::optional<Counter> counter(std::in_place, rank_);
  if (rank_ > 0) {
    const std::string sentence = sentence_of([&] {
      for (Index unit; (unit = counter->take()) < num_units;) {
        Parcel parcel(unit);
        search(unit, parcel);
        send(parcel.bytes(), kFound);
      }
    });
    if (!sentence.empty()) counter->take(num_units);  // nobody begins another unit
    send({sentence.begin(), sentence.end()}, kEnd);
    return true;
  }
  Collector collector(job, size_);
  std::thread searcher([&] {
    const auto take = [&](Index step) {
      const std::lock_guard lock(collector.mpi());
      return counter->take(step);
    };
    const std::string sentence = sentence_of([&] {
      for (Index unit; (unit = take(1)) < num_units && collector.sentence().empty();) {
        Parcel parcel(unit);
        search(unit, parcel);
        collector.keep(parcel);
      }
    });
    if (sentence.empty()) return;
    collector.fail(sentence);
    take(num_units);
  });
  collector.run();
  searcher.join();
  counter.reset();
  if (!collector.sentence().empty()) throw InputError(collector.sentence());
  return true;
}

#else

Ranks::Ranks() = default;
Ranks::~Ranks() = default;
bool Ranks::together(const std::function<void()>& work) const {
  work();
  return true;
}
bool Ranks::run(Job& job, const std::function<void(Index, ShardSink&)>& search) {
  job.work_all(search);
  return true;
}

#endif

}  // namespace quarry::cluster
