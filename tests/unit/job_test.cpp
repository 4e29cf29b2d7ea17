/// Jobs in a folder, for any work that can be cut into shards.
#include "quarry/job.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;

JobPlan plan_of(Index num_shards) {
  return {.num_shards = num_shards,
          .version = "Quarry 1",
          .command = {"count", "it"},
          .directory = "/",
          .outputs = {"output.tsv", "empty.smi"},
          .notes = {{"size", "100"}}};
}

/// Numbers from 0 to 99, a line each.
void write_numbers(Index shard, Index num_shards, ShardSink& sink) {
  const Index first = shard_begin(shard, num_shards, 100), last = shard_begin(shard + 1, num_shards, 100);
  for (Index number = first; number < last; ++number) sink.write(0, std::to_string(number) + "\n");
  sink.set("lines", std::to_string(last - first));
}

std::string text_of(const Job& job, int output) {
  std::string text;
  job.read(output, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(Job, ShardsInAnyOrderGiveTheWhole) {
  const test::TemporaryFolder folder;
  std::string all;
  for (int number = 0; number < 100; ++number) all += std::to_string(number) + "\n";
  for (const Index num_shards : test::settings({1, 7, 300, 100})) {
    Job job = Job::make(folder.file(std::to_string(num_shards)), plan_of(num_shards));
    const auto search = [&](Index shard, ShardSink& sink) { write_numbers(shard, num_shards, sink); };
    EXPECT_TRUE(job.work(num_shards - 1, [&](ShardSink& sink) { search(num_shards - 1, sink); }));
    EXPECT_FALSE(job.work(num_shards - 1, [](ShardSink&) { throw std::logic_error("done twice"); }));
    EXPECT_EQ(job.work_all(search), num_shards - 1);
    EXPECT_TRUE(job.missing().empty());
    EXPECT_EQ(text_of(job, 0), all);
    EXPECT_EQ(text_of(job, 1), "");
    Index lines = 0;
    for (const ShardRecord& record : job.records()) lines += std::stoll(record.numbers.at("lines"));
    EXPECT_EQ(lines, 100);
  }
}

TEST(Job, AShardThatFailsLeavesNothing) {
  const test::TemporaryFolder folder;
  Job job = Job::make(folder.file("job"), plan_of(3));
  EXPECT_THROW(job.work(1,
                        [](ShardSink& sink) {
                          sink.write(0, "half");
                          throw SystemError("the disk is full");
                        }),
               SystemError);
  EXPECT_FALSE(job.is_done(1));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "job/shards/0000"));
  EXPECT_EQ(job.missing(), (std::vector<Index>{0, 1, 2}));
}

TEST(Job, ShardsThatFailDoNotStopTheOthers) {
  const test::TemporaryFolder folder;
  Job job = Job::make(folder.file("job"), plan_of(6));
  const auto search = [](Index shard, ShardSink& sink) {
    if (shard == 0 || shard == 3) throw InputError("no good: " + std::to_string(shard));
    write_numbers(shard, 6, sink);
  };
  const std::string sentence = message_of<InputError>([&] { job.work_all(search); });
  EXPECT_NE(sentence.find("cannot be done: 0,3; the first because: no good: 0"), std::string::npos) << sentence;
  EXPECT_EQ(job.missing(), (std::vector<Index>{0, 3}));
  EXPECT_EQ(job.work_all([](Index shard, ShardSink& sink) { write_numbers(shard, 6, sink); }), 2);
  // What has nothing to do with one shard ends the work.
  Job other = Job::make(folder.file("other"), plan_of(6));
  EXPECT_THROW(other.work_all([](Index, ShardSink&) { throw SystemError("the disk is full"); }), SystemError);
  EXPECT_EQ(other.missing().size(), 6u);
}

TEST(Job, RefusesHolesDamageAndForeignShards) {
  const test::TemporaryFolder folder;
  Job job = Job::make(folder.file("job"), plan_of(3)), other = Job::make(folder.file("other"), plan_of(4));
  const auto search = [](Index shard, ShardSink& sink) { write_numbers(shard, 3, sink); };
  const auto sentence = [&] { return message_of<InputError>([&] { (void)job.records(); }); };
  EXPECT_NE(sentence().find("3 of the 3 shards"), std::string::npos) << sentence();
  job.work_all(search);
  other.work_all(search);
  EXPECT_EQ(sentence(), "");
  const auto text = folder.path() / "job/shards/0000/0000001.output.tsv.zst",
             record = text.parent_path() / "0000001.json";
  const std::string kept = test::read_whole_file(text);
  for (const std::string& damaged :
       {std::string(), kept.substr(0, kept.size() - 1), kept + "x", std::string("x") + kept.substr(1)}) {
    std::ofstream(text, std::ios::binary) << damaged;
    EXPECT_NE(sentence().find("0000001.json"), std::string::npos) << sentence();
  }
  std::ofstream(text, std::ios::binary) << kept;
  std::filesystem::copy_file(folder.path() / "other/shards/0000/0000001.json", record,
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(sentence().find("another job"), std::string::npos) << sentence();
  std::filesystem::remove(record);
  EXPECT_EQ(job.work_all(search), 1);
  std::filesystem::copy_file(record, record.parent_path() / "0000003.json");
  EXPECT_NE(sentence().find("0000003.json"), std::string::npos) << sentence();
}

TEST(Job, NamesWhatHasChanged) {
  const test::TemporaryFolder folder;
  folder.write("input", "text");
  JobPlan plan = plan_of(2);
  plan.directory = folder.path();
  plan.inputs = job_inputs(folder.file("input"));
  const Job job = Job::make(folder.file("job"), plan);
  const auto sentence = [&](const char* version) {
    return message_of<InputError>([&] { job.check_unchanged(version); });
  };
  EXPECT_EQ(sentence("Quarry 1"), "");
  EXPECT_NE(sentence("Quarry 2").find("Quarry 1, and this is Quarry 2"), std::string::npos);
  folder.write("input", "text");
  EXPECT_EQ(sentence("Quarry 1"), "");
  folder.write("input", "test");
  EXPECT_NE(sentence("Quarry 1").find("has changed"), std::string::npos);
  std::filesystem::remove(folder.path() / "input");
  EXPECT_NE(sentence("Quarry 1").find("is not there"), std::string::npos);
  EXPECT_THROW((void)job_inputs(folder.file("input")), InputError);
  EXPECT_NE(message_of<InputError>([&] { (void)Job::make(folder.file("job"), plan_of(2)); }).find("holds a job"),
            std::string::npos);
  EXPECT_THROW((void)Job::open(folder.file("nothing")), InputError);
}

TEST(Job, ArrayText) {
  EXPECT_EQ(array_text({}), "");
  EXPECT_EQ(array_text({17, 203, 2290}), "17,203,2290");
  EXPECT_EQ(array_text({0, 1, 3, 4, 5, 9}), "0,1,3-5,9");
  EXPECT_EQ(array_text({0, 1, 2}), "0-2");
}

/// Every shard begins where the one before it ends; none is empty where there is an item for each; near cuts are taken.
TEST(Job, ShardBegin) {
  const std::vector<Index> cuts = {0, 16384, 32768, 49152};
  for (const Index size : {0, 1, 63, 64, 65, 1000, 60000})
    for (const Index num_shards : {1, 2, 3, 7, 63, 64, 65}) {
      EXPECT_EQ(shard_begin(0, num_shards, size, cuts), 0);
      EXPECT_EQ(shard_begin(num_shards, num_shards, size, cuts), size);
      for (Index shard = 0; shard < num_shards; ++shard) {
        const Index length =
            shard_begin(shard + 1, num_shards, size, cuts) - shard_begin(shard, num_shards, size, cuts);
        EXPECT_GE(length, size >= num_shards ? 1 : 0);
        EXPECT_LE(length, size / num_shards + 1 + size / num_shards / 4);
      }
    }
  EXPECT_EQ(shard_begin(1, 4, 65000, cuts), 16384);
  EXPECT_EQ(shard_begin(1, 1000, 60000, cuts), 60);
}

}  // namespace
}  // namespace quarry
