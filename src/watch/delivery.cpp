#include "watch/delivery.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <tuple>
#include <utility>

#include "exec/parallel.hpp"
#include "graph/pattern/pattern_symmetry.hpp"
#include "watch/embedding_hash.hpp"

namespace quarry::watch {
namespace {

constexpr Index kMaxAutomorphisms = 1'000'000;
/// Ids of matches that one alert carries, about; and one of which text is made at once.
constexpr Index kValuesPerAlert = Index{1} << 16, kValuesOfText = Index{1} << 12;
/// Of a long list, that are found before they are delivered.
constexpr int kPiecesPerThread = 4;

std::uint64_t product(std::uint64_t one, std::uint64_t other, const char* what) {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(one, other, &result))
    throw CapacityError(std::string(what) + " of one update and pattern", std::numeric_limits<Index>::max(), 0);
  return result;
}

void add(std::uint64_t& sum, std::uint64_t number) {
  if (__builtin_add_overflow(sum, number, &sum))
    throw CapacityError("embeddings of one pattern in all", std::numeric_limits<Index>::max(), 0);
}

}  // namespace

Delivery::Delivery(const WatchPlan& plan, const VertexIds& ids, Executor& executor, const Options& options)
    : plan_(plan),
      ids_(ids),
      executor_(executor),
      options_(options),
      room_{.most_values = kValuesPerAlert},
      piece_rooms_(kPiecesPerThread * executor.threads()) {}

Delivery::PieceRoom::PieceRoom(const DeviceId& /*host*/) { ids.most_values = kValuesOfText; }

void Delivery::add_pattern() {
  const WatchPlan::WatchedPattern& added = plan_.patterns().back();
  totals_.emplace_back().automorphisms = added.automorphisms;
  const bool wants_all = options_.all_embeddings || options_.digest;
  automorphisms_.push_back(wants_all ? automorphisms(added.pattern, kMaxAutomorphisms) : std::vector<std::uint8_t>{});
}

void Delivery::deliver(const UpdateGroup& group, const AlertSink& sink) {
  if (options_.list || options_.digest) {
    deliver_lists(group, sink);
  } else {
    for (const PatternChange& change : group.sum.changes) {
      Alert alert;
      alert.update = change.position;
      alert.pattern = change.pattern;
      alert.created = change.created;
      alert.subgraphs = change.subgraphs;
      alert.embeddings = product(alert.subgraphs, totals_[alert.pattern].automorphisms, "embeddings");
      add_to_totals(alert);
      sink(alert);
    }
  }
  count_updates(group.sum);
}

void Delivery::count_updates(const GroupSum& sum) {
  statistics_.updates += sum.updates;
  statistics_.insertions += sum.insertions;
  statistics_.deletions += sum.deletions;
  for (std::size_t i = 0; i < sum.faults.size(); ++i) statistics_.faults[i] += sum.faults[i];
  if (!measures_times_ || plan_.patterns().empty()) return;  // nothing is searched for
  const Clock::time_point now = Clock::now();
  for (const auto& [arrival, count] : sum.arrivals) {
    start_.add(sum.started - arrival, count);
    done_.add(now - arrival, count);
  }
}

void Delivery::deliver_lists(const UpdateGroup& group, const AlertSink& sink) {
  const auto source_of = [&](Index part) -> const SearchSource& { return group.sources[group.parts[part].search]; };
  const auto key = [&](Index part) {
    const SearchSource& source = source_of(part);
    return std::tuple(group.updates[source.update].position, source.joined->searches().front().pattern);
  };
  std::vector<Index> parts;
  for (Index i = 0; i < std::ssize(group.parts); ++i) {
    if (group.parts[i].rows.size() > 0) parts.push_back(i);
  }
  std::ranges::stable_sort(parts, {}, key);
  for (auto begin = parts.begin(); begin != parts.end();) {
    const auto end = std::find_if(begin, parts.end(), [&](Index part) { return key(part) != key(*begin); });
    Alert alert;
    std::tie(alert.update, alert.pattern) = key(*begin);
    alert.created = group.updates[source_of(*begin).update].change.inserts;
    const auto [num_rows, is_cut] = deliver_rows(group, {begin, end}, alert, sink);
    const bool all = options_.all_embeddings;
    const std::uint64_t automorphisms = totals_[alert.pattern].automorphisms;
    alert.subgraphs = all && (!is_cut || options_.digest) ? num_rows / automorphisms : num_rows;
    alert.embeddings = all ? num_rows : product(num_rows, automorphisms, "embeddings");
    alert.truncated = is_cut;
    add_to_totals(alert);
    sink(alert);
    begin = end;
  }
}

std::pair<Index, bool> Delivery::deliver_rows(const UpdateGroup& group, std::span<const Index> parts, Alert alert,
                                              const AlertSink& sink) {
  const Index limit = options_.max_results > 0 ? options_.max_results : kNoLimit;
  const Index width = plan_.patterns()[alert.pattern].pattern.size();
  Index num_rows = 0;
  bool is_cut = false;
  const auto take = [&](std::span<const std::uint32_t> rows) {
    const Index all = std::ssize(rows) / width * num_variants(alert.pattern);
    const Index wanted = std::min(std::max<Index>(0, limit - num_rows), all);
    is_cut |= wanted < all;
    take_rows(rows, wanted, alert, room_, sink);
    add_hash(alert, room_);
    num_rows += options_.digest ? all : wanted;  // a digest is of all, whatever is listed
    return !is_cut || options_.digest;
  };
  for (const Index index : parts) {
    const ListedPart& part = group.parts[index];
    if (!part.is_complete && makes_text()) {
      num_rows += take_in_pieces(group, part, alert, sink);
      continue;
    }
    if (!take(part.rows.values())) break;
    if (part.is_complete) continue;
    if (num_rows == limit && !options_.digest) {
      is_cut = true;
      break;
    }
    if (!take_rest(group, part, part.rows.size() / width, take)) break;
  }
  return {num_rows, is_cut};
}

Index Delivery::take_in_pieces(const UpdateGroup& group, const ListedPart& listed, const Alert& alert,
                               const AlertSink& sink) {
  const Index width = plan_.patterns()[alert.pattern].pattern.size();
  const Index values_of_row = width * num_variants(alert.pattern), most = search_limits.longest_piece;
  constexpr Index kShare = 16;
  const UpdateSearch& search = group.searches[listed.search];
  DescentPart rest = listed.part;
  Index values_before = 0;
  const auto next = [&](Piece& piece) {
    if (rest.begin >= rest.end) return false;
    const Index size = std::clamp(values_before / kShare, search_limits.shortest_piece, most);
    piece.part = executor_.first_piece(search, rest, size / values_of_row + 1);
    rest.begin = piece.part.end;
    values_before += size;
    return true;
  };
  const auto work = [&](Piece& piece) {
    PieceRoom& room = *piece.room.emplace(piece_rooms_.take());
    room.listed.search = listed.search;
    room.listed.part = piece.part;
    room.text.clear();
    executor_.list(group, search_limits.much_longer * (most / num_variants(alert.pattern) + width), room.listed);
    if (!room.listed.is_complete) return;
    take_rows(room.listed.rows.values(), kNoLimit, alert, room.ids,
              [&](const Alert& some) { text_->append(some, room.text); });
  };
  Index num_rows = 0;
  const auto count = [&](std::span<const std::uint32_t> rows, IdRoom& room) {
    add_hash(alert, room);
    num_rows += std::ssize(rows) / width * num_variants(alert.pattern);
  };
  const auto take = [&](std::span<const std::uint32_t> rows) {
    take_rows(rows, kNoLimit, alert, room_, sink);
    count(rows, room_);
    return true;
  };
  std::vector<Piece> pieces(piece_rooms_.size());
  run_pipeline(executor_.threads(), pieces, next, work, [&](Piece& piece) {
    PieceRoom& room = **piece.room;
    if (room.listed.is_complete) {
      if (!room.text.empty()) text_->take(room.text);
      count(room.listed.rows.values(), room.ids);
    } else {
      take_rest(group, room.listed, 0, take);
    }
    piece.room.reset();
  });
  return num_rows;
}

void Delivery::add_hash(const Alert& alert, IdRoom& room) {
  PatternTotals& totals = totals_[alert.pattern];
  (alert.created ? totals.hash_positive : totals.hash_negative) += std::exchange(room.hash, 0);
}

Index Delivery::num_variants(int pattern) const { return options_.all_embeddings ? totals_[pattern].automorphisms : 1; }

bool Delivery::take_rest(const UpdateGroup& group, const ListedPart& part, Index num_known,
                         const std::function<bool(std::span<const std::uint32_t>)>& take) {
  UpdateSearch of_part = group.searches[part.search];
  of_part.part = part.part;
  const RowWriter writer(group.sources[part.search].joined->searches().front().plan, {});
  MatchRows rows;
  bool goes_on = true;
  executor_.visit(of_part, [&](const std::uint32_t* chosen, View<const std::uint32_t> members) {
    const Index skipped = std::min(num_known, members.size());
    num_known -= skipped;
    writer.append(chosen, members.part(skipped, members.size() - skipped), rows);
    if (rows.size() < kValuesPerAlert) return true;
    goes_on = take(rows.values());
    rows.clear();
    return goes_on;
  });
  return goes_on && (rows.size() == 0 || take(rows.values()));
}

void Delivery::take_plain_rows(std::span<const std::uint32_t> rows, Alert alert, IdRoom& room,
                               const AlertSink& sink) const {
  const Index width = plan_.patterns()[alert.pattern].pattern.size();
  const Index most = room.most_values / width * width;
  room.ids.resize(room.most_values);
  for (Index begin = 0; begin < std::ssize(rows); begin += most) {
    const auto some = rows.subspan(begin, std::min(most, std::ssize(rows) - begin));
    std::ranges::transform(some, room.ids.begin(), [&](std::uint32_t vertex) { return ids_.id(vertex); });
    alert.matches = std::span(room.ids).first(some.size());
    sink(alert);
  }
}

void Delivery::take_rows(std::span<const std::uint32_t> rows, Index limit, Alert alert, IdRoom& room,
                         const AlertSink& sink) const {
  const Index width = plan_.patterns()[alert.pattern].pattern.size();
  const std::vector<std::uint8_t>& images = automorphisms_[alert.pattern];
  const Index num_images = std::ssize(images) / width;
  if (num_images <= 1 && !options_.digest)
    return take_plain_rows(rows.first(std::min(limit, std::ssize(rows) / width) * width), alert, room, sink);
  room.ids.resize(room.most_values + kMaxPatternVertices);
  std::array<std::uint64_t, kMaxPatternVertices> ids{};
  Index size = 0;
  const auto flush = [&] {
    alert.matches = std::span(room.ids).first(size);
    if (options_.list && size > 0) sink(alert);
    size = 0;
  };
  const auto goes_on = [&] { return limit > 0 || options_.digest; };  // a digest is of all
  for (const std::uint32_t* row = rows.data(); row != rows.data() + rows.size() && goes_on(); row += width) {
    for (Index i = 0; i < width; ++i) ids[i] = ids_.id(row[i]);
    for (Index image = 0; image < num_images; ++image) {
      const std::span embedding = std::span(room.ids).subspan(size, width);
      for (Index i = 0; i < width; ++i) embedding[i] = ids[images[image * width + i]];
      if (options_.digest) room.hash += hash_of_embedding(embedding);
      if ((image > 0 && !options_.all_embeddings) || limit == 0) continue;
      --limit;
      size += width;
      if (size > room.most_values) flush();
    }
  }
  flush();
}

void Delivery::add_to_totals(const Alert& alert) {
  PatternTotals& totals = totals_[alert.pattern];
  add(alert.created ? totals.positive : totals.negative, alert.embeddings);
  add(alert.created ? totals.positive_subgraphs : totals.negative_subgraphs, alert.subgraphs);
  ++totals.nonzero_updates;
  totals.max_per_update = std::max(totals.max_per_update, alert.embeddings);
  totals.truncated += alert.truncated ? 1 : 0;
  totals.digest += hash_of_update(alert.update, alert.created, alert.embeddings);
}

void Delivery::report(Statistics& statistics) {
  const auto take = [](Index& value) { return std::exchange(value, 0); };
  statistics.updates = take(statistics_.updates);
  statistics.insertions = take(statistics_.insertions);
  statistics.deletions = take(statistics_.deletions);
  for (std::size_t i = 0; i < statistics.faults.size(); ++i) statistics.faults[i] = take(statistics_.faults[i]);
  statistics.start = start_.summary();
  statistics.done = done_.summary();
}

}  // namespace quarry::watch
