/// A pocket: what every ligand that is docked in it shares.
#pragma once
#include "dock/pocket/surroundings.hpp"
#include "dock/search.hpp"
#include "dock/steps.hpp"
#include "exec/buffer.hpp"
#include "exec/parcel.hpp"

namespace quarry::dock {

class PreparedPocket {
 public:
  /// @throws InputError     no receptor atom is near the box
  /// @throws CapacityError  the maps exceed the memory
  PreparedPocket(const Receptor& receptor, const Box& box, Scoring scoring, int threads);

  const PocketView& view() const { return view_; }
  const Receptor& receptor() const { return receptor_; }

 private:
  /// Places where an atom of carbon does well, spread over the pocket: where initial poses begin.
  void find_spots();

  Receptor receptor_;
  Surroundings surroundings_;
  Queue host_;
  Buffer<float> tables_;
  Buffer<std::uint16_t> cells_;
  std::vector<float> spots_;
  PocketView view_{};
};

/// The part of a view that has no maps.
PocketView bare_pocket(const Parameters& parameters, const Surroundings& surroundings, const Point& low,
                       const Point& high);

/// Adds the arrays of a pocket to what is sent to a device.
void add_views(Parcel& parcel, PocketView& pocket);

}  // namespace quarry::dock
