/// The kernel of `watch` that stays on a device: its first teams apply updates, all others search.
///
/// An idle team takes the number of the next item, whether it is posted yet or not, and waits for it. The first team listens
/// to the host for all of them, because a look at memory that is shared with the host is slow.
#include "exec/team.hpp"
#include "watch/device/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::watch {
namespace QUARRY_TARGET {

struct Serve {
  ResidentWork work;

  template <Team AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index team_index) const {
    if (team_index < work.num_updaters)
      apply_updates(team, team_index);
    else
      search_items(team, team_index - work.num_updaters);
  }

 private:
  QUARRY_HD TeamWords& words() const { return work.words[0]; }
  QUARRY_HD Mailbox& mailbox() const { return work.mailbox[0]; }

  template <Team AnyTeam>
  QUARRY_HD void apply_updates(AnyTeam& team, Index team_index) const {
    for (std::uint64_t done = 0;; ++done) {
      const bool has_more = team_index == 0 ? listen(team, done) : wait_for(team, words().updates_posted, done);
      if (!has_more) return;
      if (team_index == 0) fetch_update(team, done);
      const auto side = static_cast<Index>(mailbox().update_side);
      const UpdateRows rows{work.update[0], work.entries, work.entries, work.places[side], work.places[1 - side]};
      const Index stride = work.num_updaters * team.size();
      for (Index i = team_index * team.size() + team.rank(); i < rows.size(); i += stride) rows(i);
      team.barrier();
      if (team.rank() == 0) {
        const std::uint64_t applied = fetch_add_ordered(words().updates_applied, 1) + 1;
        if (applied == (done + 1) * work.num_updaters) store_release(mailbox().updates_done, done + 1);
      }
    }
  }

  /// Passes on what the host posts, until there are more updates than `done`. @return false at the end
  template <Team AnyTeam>
  QUARRY_HD bool listen(AnyTeam& team, std::uint64_t done) const {
    Index has_more = 0;
    while (team.rank() == 0) {
      const std::uint64_t news = load_acquire(mailbox().news);
      // The end of items is posted before that of updates; who has seen the latter has seen the former.
      const std::uint64_t updates = load_acquire(mailbox().updates_posted);
      const std::uint64_t items = load_acquire(mailbox().items_posted);
      if (items != words().items_posted) store_release(words().items_posted, items);
      if (updates == kEnd) store_release(words().updates_posted, kEnd);
      if (updates > done) {
        has_more = updates != kEnd;
        break;
      }
      do wait_for_change(mailbox().news, news);
      while (peek(mailbox().news) == news);
    }
    return team.sum(has_more) != 0;
  }

  /// Copies the arrays of an update to the device, before the other teams hear of it.
  template <Team AnyTeam>
  QUARRY_HD void fetch_update(AnyTeam& team, std::uint64_t done) const {
    const auto num_words = static_cast<Index>(mailbox().update_words);
    team_for(team, num_words, [&](Index i) { work.arrays[i] = work.posted_arrays[i]; });
    team.barrier();
    if (team.rank() == 0) store_release(words().updates_posted, done + 1);
  }

  /// Until a word is larger than `known`. @return false at the end
  template <Team AnyTeam>
  QUARRY_HD bool wait_for(AnyTeam& team, const std::uint64_t& word, std::uint64_t known) const {
    Index has_more = 0;
    while (team.rank() == 0) {
      const std::uint64_t value = peek(word);
      if (value > known) {
        (void)load_acquire(word);  // what was written before it can be read from here on
        has_more = value != kEnd;
        break;
      }
      wait_for_change(word, value);
    }
    return team.sum(has_more) != 0;
  }

  template <Team AnyTeam>
  QUARRY_HD void search_items(AnyTeam& team, Index searcher) const {
    std::byte* const memory = work.memory.data() + searcher * work.team_bytes;
    Tally* const sums = work.sums.data() + searcher * work.team_tallies;
    const RowsOnDevice rows{{work.places[0], work.places[1]}, work.entries};
    for (;;) {
      Index ticket = 0;
      if (team.rank() == 0) ticket = fetch_add(words().items_taken, 1);
      ticket = team.sum(ticket);
      if (!wait_for(team, words().items_posted, ticket)) return;
      const Index place = ticket % work.items.size();
      const SearchItem item = work.items[place];
      const DevicePlan& plan = work.plans[item.plan];
      ItemSearch<AnyTeam> search(team, rows, plan, item, memory);
      bool is_done = true;
      if (item.num_rows > 0)
        search.list(work.values.data() + item.first_value);
      else
        is_done = count(team, search, plan.num_tallies, sums, work.tallies.data() + item.first_tally);
      team.barrier();
      const ItemState state = is_done ? ItemState::done : ItemState::stopped;
      if (team.rank() == 0) store_release(work.states[place], static_cast<std::uint64_t>(state));
    }
  }

  /// Counts on the device, and then tells the host.
  template <Team AnyTeam>
  QUARRY_HD static bool count(AnyTeam& team, ItemSearch<AnyTeam>& search, int num_tallies, Tally* sums,
                              Tally* tallies) {
    if (team.rank() == 0) {
      for (int i = 0; i < num_tallies; ++i) sums[i] = {};
    }
    const bool is_done = search.count(sums);
    if (team.rank() == 0) {
      for (int i = 0; i < num_tallies; ++i) tallies[i] = sums[i];
    }
    return is_done;
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::watch
QUARRY_AFTER_TARGET();
