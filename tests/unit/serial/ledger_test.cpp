/// The ledger of a run: what it keeps, what a stop leaves of it, and what it refuses.
#include "quarry/files/ledger.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using Job = Ledger::Job;

const Job kLedgerJob = {{"the input", "10 bytes"}, {"--seed", "1"}};

LedgerRow numbered_row(Index number, const std::string& status = "ok", std::optional<double> key = 1.0) {
  return {.part = number / 10,
          .row = number % 10,
          .id = "id" + std::to_string(number),
          .status = status,
          .key = key,
          .texts = {"a" + std::to_string(number) + "\n", number % 2 == 0 ? "" : "b\n"}};
}

std::string text_of(const Ledger& ledger, int output, bool by_key = false) {
  std::string all;
  ledger.for_each_text(output, by_key, [&](const std::string& text) { all += text; });
  return all;
}

class LedgerTest : public ::testing::Test {
 protected:
  Ledger open(bool resume = true, const Job& job = kLedgerJob) { return {path_, job, 2, resume}; }
  void keep_a_row(bool resume, const Job& job = kLedgerJob) {
    Ledger ledger = open(resume, job);
    ledger.add(numbered_row(0));
    ledger.commit();
  }
  std::string refusal(const Job& job, bool resume = true) {
    return message_of<InputError>([&] { open(resume, job); });
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.db");
};

/// What a kill leaves between the two removals.
TEST_F(LedgerTest, BeginsAnewWhereOnlyALogWasLeft) {
  {
    Ledger ledger = open(false);
    for (Index i = 0; i < 13; ++i) ledger.add(numbered_row(i));
    ledger.commit();
    std::filesystem::copy_file(path_ + "-wal", folder_.file("log"));
    ledger.remove();
  }
  EXPECT_EQ(folder_.num_files(), 1);
  std::filesystem::rename(folder_.file("log"), path_ + "-wal");
  Ledger ledger = open();
  EXPECT_EQ(ledger.num_rows(), 0);
  ledger.add(numbered_row(0));
  ledger.commit();
  ledger.remove();
  EXPECT_EQ(folder_.num_files(), 0);
}

TEST_F(LedgerTest, KeepsRowsTextsAndSums) {
  {
    Ledger ledger = open(false);
    EXPECT_EQ(ledger.num_rows(), 0);
    EXPECT_FALSE(ledger.last());
    for (Index i = 0; i < 13; ++i) ledger.add(numbered_row(i, i == 4 ? "rejected" : "ok"));
    ledger.add_to_sum("poses", 2.5);
    ledger.add_to_sum("poses", 4);
    ledger.commit();
  }
  const Ledger ledger = open();
  EXPECT_EQ(ledger.num_rows(), 13);
  EXPECT_EQ(ledger.last(), std::pair(Index{1}, Index{2}));
  EXPECT_EQ(ledger.count("ok"), 12);
  EXPECT_EQ(ledger.count("rejected"), 1);
  EXPECT_EQ(ledger.count("truncated"), 0);
  EXPECT_EQ(ledger.sum("poses"), 6.5);
  EXPECT_EQ(ledger.sum("others"), 0);
  EXPECT_EQ(text_of(ledger, 0), "a0\na1\na2\na3\na4\na5\na6\na7\na8\na9\na10\na11\na12\n");
  EXPECT_EQ(text_of(ledger, 1), "b\nb\nb\nb\nb\nb\n");
  Index expected = 0;
  ledger.for_each([&](Index number, const LedgerRow& found) {
    EXPECT_EQ(number, expected++);
    EXPECT_EQ(found.id, numbered_row(number).id);
    EXPECT_EQ(found.key, 1.0);
  });
  EXPECT_EQ(expected, 13);
}

TEST_F(LedgerTest, OrdersTextsByKey) {
  Ledger ledger = open(false);
  const double keys[] = {-3, -7.5, -3, 2};
  for (Index i = 0; i < 4; ++i) ledger.add(numbered_row(i, "ok", keys[i]));
  ledger.add(numbered_row(4, "rejected", {}));
  ledger.drop_texts(3);
  ledger.commit();
  EXPECT_EQ(text_of(ledger, 0, true), "a4\na1\na0\na2\n");
  EXPECT_EQ(text_of(ledger, 1, true), "b\n");
  EXPECT_EQ(text_of(ledger, 0), "a0\na1\na2\na4\n");
}

TEST_F(LedgerTest, TextsMayHoldAnything) {
  const std::string bytes("\0\xff'\"\n", 5);
  Ledger ledger = open(false);
  ledger.add({.id = bytes, .status = "it's", .texts = {bytes, ""}});
  EXPECT_EQ(text_of(ledger, 0), bytes);
  EXPECT_EQ(text_of(ledger, 1), "");
  ledger.for_each([&](Index, const LedgerRow& found) {
    EXPECT_EQ(found.id, bytes);
    EXPECT_FALSE(found.key);
  });
}

/// A process that is killed leaves whole input rows, and nothing of those that were not committed.
TEST_F(LedgerTest, SurvivesAKill) {
  const pid_t child = fork();
  if (child == 0) {
    Ledger ledger(path_, kLedgerJob, 2, false);
    for (Index i = 0; i < 5; ++i) ledger.add(numbered_row(i));
    ledger.commit();
    for (Index i = 5; i < 9; ++i) ledger.add(numbered_row(i));
    _exit(0);  // as a kill: nothing is destroyed
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  Ledger ledger = open();
  EXPECT_EQ(ledger.num_rows(), 5);
  for (Index i = 5; i < 7; ++i) ledger.add(numbered_row(i));
  EXPECT_EQ(text_of(ledger, 0), "a0\na1\na2\na3\na4\na5\na6\n");
}

TEST_F(LedgerTest, RowsOfOneInputRowStayTogether) {
  {
    Ledger ledger = open(false);
    for (Index i = 0; i < 3; ++i) {
      LedgerRow one = numbered_row(i);
      one.row = 7;
      usleep(150'000);  // longer than between two commits
      ledger.add(one);
    }
  }  // nothing was committed since all are of the same row
  EXPECT_EQ(open().num_rows(), 0);
}

TEST_F(LedgerTest, NamesTheDifference) {
  keep_a_row(false);
  EXPECT_EQ(refusal(kLedgerJob, false), "the ledger '" + path_ + "' is there already: resume its run, or remove it");
  EXPECT_EQ(refusal({{"the input", "10 bytes"}, {"--seed", "2"}}),
            "the ledger '" + path_ + "' is of another run: --seed was 1 and is 2 now");
  EXPECT_EQ(refusal({{"the input", "11 bytes"}, {"--seed", "2"}}),
            "the ledger '" + path_ + "' is of another run: the input was 10 bytes and is 11 bytes now");
  EXPECT_NE(refusal({{"--seed", "1"}}).find("is of another run"), std::string::npos);
  EXPECT_NE(refusal({kLedgerJob[0], kLedgerJob[1], {"--new", "1"}}).find("another version"), std::string::npos);
  EXPECT_EQ(refusal(kLedgerJob), "");
}

TEST_F(LedgerTest, BeginsAgainWithAnotherJob) {
  keep_a_row(false);
  const Job other = {{"--seed", "2"}};
  EXPECT_THROW(open(true, other), LedgerMismatch);
  {
    Ledger ledger(path_, other, 2, false, /*restart=*/true);
    EXPECT_EQ(ledger.num_rows(), 0);
    ledger.add(numbered_row(1));
    ledger.commit();
  }
  EXPECT_EQ(text_of(open(true, other), 0), "a1\n");
  EXPECT_EQ(Ledger(path_, other, 2, true, /*restart=*/true).num_rows(), 0);
  EXPECT_EQ(text_of(open(true, other), 0), "");
}

/// A run that stops before its first row, for its input is broken, must not stand in the way of the mended one.
TEST_F(LedgerTest, WithoutRowsIsThatOfTheNextJob) {
  open(false);
  const Job other = {{"--seed", "2"}};
  keep_a_row(true, other);
  EXPECT_EQ(open(true, other).num_rows(), 1);
  EXPECT_THROW(open(true), LedgerMismatch);
}

TEST_F(LedgerTest, IsRemovedAtTheEnd) {
  Ledger ledger = open(false);
  ledger.add(numbered_row(0));
  ledger.commit();
  ledger.remove();
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(path_).parent_path()));
  EXPECT_EQ(open(false).num_rows(), 0);
}

TEST_F(LedgerTest, OneProcessAtATime) {
  const Ledger first = open(false);
  EXPECT_EQ(refusal(kLedgerJob), "the ledger '" + path_ + "' is used by another run");
}

TEST_F(LedgerTest, RefusesOtherFiles) {
  folder_.write("run.db", std::string(4096, 'x'));
  EXPECT_EQ(refusal(kLedgerJob), "'" + path_ + "' is no ledger, or is damaged: remove it to begin again");
  EXPECT_THROW(Ledger(folder_.file("absent/run.db"), kLedgerJob, 1, false), SystemError);
}

TEST(IdentityOfFile, IsItsBytes) {
  const TemporaryFolder folder;
  folder.write("a", "0123456789");
  folder.write("b", "0123456789");
  folder.write("c", "0123456780");
  EXPECT_EQ(identity_of_file(folder.file("a")), identity_of_file(folder.file("b")));
  EXPECT_NE(identity_of_file(folder.file("a")), identity_of_file(folder.file("c")));
  EXPECT_EQ(identity_of_file(folder.file("a")).substr(0, 10), "10 bytes, ");
  EXPECT_THROW((void)identity_of_file(folder.file("d")), InputError);
}

}  // namespace
}  // namespace quarry::test
