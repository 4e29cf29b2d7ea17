/// Cuts a ByteSource at line ends.
#include "util/files/line_reader.hpp"

#include <algorithm>
#include <string_view>

#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

constexpr std::size_t kLineBufferBytes = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors put it before the first line

}  // namespace

LineReader::LineReader(const std::string& path)
    : path_(path), source_(open_byte_source(path)), buffer_(kLineBufferBytes) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

Index LineReader::bytes_read() const { return source_->bytes_read(); }
Index LineReader::bytes_total() const { return source_->bytes_total(); }

bool LineReader::refill() {
  try {
    end_ = source_->read(buffer_.data(), buffer_.size());
  } catch (const DamagedBytes& damage) {
    throw InputError("cannot read " + input_name(path_) + " beyond line " + std::to_string(line_number_) + ": " +
                     damage.what());
  }
  position_ = 0;
  return end_ != 0;
}

bool LineReader::next(std::string& line) {
  line.clear();
  if (position_ == end_ && !refill()) return false;
  for (;;) {
    const std::string_view rest(buffer_.data() + position_, end_ - position_);
    const std::size_t size = rest.find('\n');
    const bool ends = size != std::string_view::npos;
    line += rest.substr(0, size);
    position_ += ends ? size + 1 : rest.size();
    if (std::ssize(line) > kMaxLineBytes) {
      throw InputError("line " + std::to_string(line_number_ + 1) + " of " + input_name(path_) + " is longer than " +
                       std::to_string(kMaxLineBytes) + " bytes");
    }
    if (ends || !refill()) break;
  }
  ++line_number_;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (line_number_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
  return true;
}

bool LineReader::next_lines(std::string& lines, std::size_t size) {
  std::string rest;
  lines.clear();
  if (line_number_ == 0 && next(lines)) lines += '\n';  // `next` skips the byte order mark
  while (lines.size() < size && (position_ != end_ || refill())) {
    const std::size_t taken = std::min(size - lines.size(), end_ - position_);
    const std::string_view bytes(buffer_.data() + position_, taken);
    line_number_ += std::count(bytes.begin(), bytes.end(), '\n');
    lines += bytes;
    position_ += taken;
  }
  if (lines.empty() || lines.back() == '\n') return !lines.empty();
  if (next(rest)) {
    lines += rest;
  } else {
    ++line_number_;
  }
  lines += '\n';
  return true;
}

}  // namespace quarry
