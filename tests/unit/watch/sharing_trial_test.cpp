/// Whether updates are shared among threads, for costs that are known.
#include "watch/sharing_trial.hpp"

#include <gtest/gtest.h>

namespace quarry::watch {
namespace {

/// What an update takes, in seconds.
struct Costs {
  double alone, shared;
};
struct Spent {
  double alone = 0, shared = 0;
  double share() const { return shared / (alone + shared); }
};

/// Updates follow each other for so long, as the trial says.
Spent run(SharingTrial& trial, Costs costs, double seconds) {
  constexpr Index kGroup = 64;
  Spent spent;
  while (spent.alone + spent.shared < seconds) {
    const bool shared = trial.shares();
    const double took = kGroup * (shared ? costs.shared : costs.alone);
    (shared ? spent.shared : spent.alone) += took;
    trial.note(shared, took, kGroup);
  }
  return spent;
}

TEST(SharingTrial, NeverSharesWhatIsQuick) {
  SharingTrial trial(false);
  EXPECT_EQ(run(trial, {1.5e-6, 0.1e-6}, 10).shared, 0);
}

TEST(SharingTrial, KeepsSharingWhatIsLong) {
  SharingTrial trial(false);
  EXPECT_FALSE(trial.shares());
  EXPECT_LT(run(trial, {50e-6, 30e-6}, 10).alone, 5e-3);
}

TEST(SharingTrial, KeepsWhatTakesLessTime) {
  for (const bool lists : {false, true}) {
    for (const double alone : {2.5e-6, 8e-6}) {
      SharingTrial gains(lists), loses(lists);
      EXPECT_GT(run(gains, {alone, 0.6 * alone}, 10).share(), 0.97) << lists << " " << alone;
      EXPECT_LT(run(loses, {alone, 2 * alone}, 10).share(), 0.03) << lists << " " << alone;
    }
  }
}

TEST(SharingTrial, BeginsWithGraphsOfTheirOwn) {
  SharingTrial gains(false), loses(false), quick(false);
  for (SharingTrial* trial : {&gains, &loses, &quick}) trial->share_at_first();
  EXPECT_GT(run(gains, {1e-6, 0.6e-6}, 10).share(), 0.97);
  EXPECT_LT(run(loses, {1e-6, 2e-6}, 10).share(), 0.03);
  EXPECT_LT(run(quick, {0.5e-6, 0.6e-6}, 10).shared, 0.2);
}

TEST(SharingTrial, StopsATrialThatIsLost) {
  SharingTrial trial(true);
  run(trial, {3e-6, 150e-6}, 0.1);
  EXPECT_LT(run(trial, {3e-6, 150e-6}, 0.2).shared, 12e-3);
}

TEST(SharingTrial, GuessesBeforeItTries) {
  SharingTrial counts(false), lists(true);
  EXPECT_GT(run(counts, {3e-6, 2e-6}, 0.1).share(), 0.9);
  EXPECT_EQ(run(lists, {30e-6, 20e-6}, 0.1).shared, 0);
}

TEST(SharingTrial, SeesThatUpdatesChange) {
  SharingTrial trial(false);
  run(trial, {0.5e-6, 2e-6}, 10);
  EXPECT_GT(run(trial, {50e-6, 30e-6}, 0.1).share(), 0.6);
  run(trial, {50e-6, 30e-6}, 10);
  EXPECT_LT(run(trial, {0.5e-6, 2e-6}, 0.5).share(), 0.5);
}

TEST(SharingTrial, EndsWhereNothingCanBeTimed) {
  SharingTrial trial(true);
  run(trial, {3e-6, 6e-6}, 0.1);
  Index num_alone = 0, num_shared = 0;
  while (num_shared < 100'000 && num_alone < 1'000'000) {
    const bool shared = trial.shares();
    (shared ? num_shared : num_alone) += 1;
    trial.note(shared, shared ? 0 : 3e-6, 1);
  }
  EXPECT_EQ(num_alone, 1'000'000) << num_shared;
  EXPECT_GT(num_shared, 0);
}

TEST(SharingTrial, IgnoresWhatWasDoneTheOtherWay) {
  SharingTrial trial(false);
  for (int i = 0; i < 1000; ++i) trial.note(true, 1, 1);
  EXPECT_FALSE(trial.shares());
}

}  // namespace
}  // namespace quarry::watch
