#include "graph/updates/update_window.hpp"

#include <algorithm>

namespace quarry {

bool UpdateWindow::expire(TimeStamp now, GraphUpdate& deletion) {
  if (edges_.empty() || edges_.front().time + length_ > now) return false;
  const Seen& edge = edges_.front();
  deletion = {};
  deletion.kind = GraphUpdate::Kind::delete_edge;
  deletion.label = edge.label;
  deletion.from = edge.from;
  deletion.to = edge.to;
  places_.erase(std::minmax(edge.from, edge.to));
  edges_.pop_front();
  return true;
}

bool UpdateWindow::see(const GraphUpdate& edge, TimeStamp now) {
  const auto [place, is_new] = places_.try_emplace(std::minmax(edge.from, edge.to));
  if (is_new) {
    place->second = edges_.insert(edges_.end(), {edge.from, edge.to, edge.label, now});
  } else {
    edges_.splice(edges_.end(), edges_, place->second);
    place->second->time = now;
  }
  return is_new;
}

}  // namespace quarry
