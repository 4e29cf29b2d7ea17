/// A step: one or more launches, written once and compiled for everything that can run them. Callers see a function
/// that takes a queue; the step picks the form compiled for the queue's device.
///
/// Declared in an engine's steps.hpp, `extern const Step<void(Queue&, const Rows& rows)> compare_rows;`, and defined in its
/// steps.cpp (exec/simd/each_target.hpp).
#pragma once
#include <utility>

#include "exec/queue.hpp"
#include "util/check.hpp"

namespace quarry {

template <class Signature>
class Step;

template <class Result, class... Arguments>
class Step<Result(Queue&, Arguments...)> {
 public:
  using Function = Result(Queue&, Arguments...);
  /// Chooses among the forms for vector instruction sets, once the program runs.
  using HostForm = Function* (*)();

  /// @param emulated, device  null where the build has none, or where only the host runs the step
  constexpr Step(HostForm host, Function* emulated, Function* device)
      : host_(host), emulated_(emulated), device_(device) {}

  Result operator()(Queue& queue, Arguments... arguments) const {
    const Api api = queue.device().api;
    Function* const form = api == Api::host ? host_() : api == Api::emulated ? emulated_ : device_;
    QUARRY_CHECK(form != nullptr, "a step was launched where it has no compiled form");
    return form(queue, std::forward<Arguments>(arguments)...);
  }

 private:
  HostForm host_;
  Function* emulated_;
  Function* device_;
};

}  // namespace quarry
