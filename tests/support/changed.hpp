/// A limit inside a library, changed while a test needs it.
#pragma once

namespace quarry::test {

template <class T>
class Changed {
 public:
  Changed(T& limit, T value) : limit_(limit), usual_(limit) { limit_ = value; }
  Changed(const Changed&) = delete;
  Changed& operator=(const Changed&) = delete;
  ~Changed() { limit_ = usual_; }

 private:
  T& limit_;
  T usual_;
};

}  // namespace quarry::test
