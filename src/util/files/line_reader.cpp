/// Cuts a ByteSource at line ends.
#include "util/files/line_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

constexpr std::size_t kLineBufferBytes = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors put it before the first line
/// How files begin that are not text as it is read here.
constexpr std::pair<std::string_view, const char*> kOther[] = {
    {"\xFF\xFE", "is text in UTF-16 (little-endian): convert it to UTF-8"},
    {"\xFE\xFF", "is text in UTF-16 (big-endian): convert it to UTF-8"},
    {"QUARRYLB", "is a library and no text: name its file where molecules are read"},
    {"QUARRYHT", "is a file of hits and no text: quarry cat makes text of it"}};

constexpr std::size_t kTwoLetters = 4;  // bytes of UTF-16

bool may_become_other(std::string_view first) {
  const bool has_nul = first.find('\0') != std::string_view::npos;
  return (has_nul && first.size() < kTwoLetters) ||
         std::ranges::any_of(kOther, [&](const auto& other) { return other.first.starts_with(first); });
}

/// Two letters of ASCII in UTF-16 that has no byte-order mark: text of one byte a letter holds no NUL.
void refuse_unmarked_utf16(std::string_view first, const std::string& name) {
  if (first.size() < kTwoLetters || (first[0] == '\0') != (first[2] == '\0') ||
      (first[1] == '\0') != (first[3] == '\0') || (first[0] == '\0') == (first[1] == '\0'))
    return;
  throw InputError(name + " seems to be text in UTF-16 (" + (first[0] == '\0' ? "big" : "little") +
                   "-endian, without a byte-order mark): convert it to UTF-8");
}

void refuse_other(std::string_view first, const std::string& name) {
  for (const auto& [mark, what] : kOther)
    if (first.starts_with(mark)) throw InputError(name + " " + what);
  refuse_unmarked_utf16(first, name);
}

}  // namespace

LineReader::LineReader(const std::string& path, int threads)
    : path_(path), source_(open_byte_source(path, threads)), buffer_(kLineBufferBytes) {}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

Index LineReader::bytes_read() const { return source_->bytes_read(); }
Index LineReader::bytes_total() const { return source_->bytes_total(); }

std::size_t LineReader::read_bytes(char* bytes, std::size_t size) {
  try {
    return source_->read(bytes, size);
  } catch (const DamagedBytes& damage) {
    throw InputError("cannot read " + input_name(path_) + " beyond line " + std::to_string(line_number_) + ": " +
                     damage.what());
  }
}

bool LineReader::refill() {
  const bool first = end_ == 0;
  end_ = read_bytes(buffer_.data(), buffer_.size());
  while (first && end_ > 0 && may_become_other({buffer_.data(), end_})) {
    const std::size_t more = read_bytes(buffer_.data() + end_, buffer_.size() - end_);
    if (more == 0) break;
    end_ += more;
  }
  if (first) refuse_other({buffer_.data(), end_}, input_name(path_));
  if (!knows_ends_) know_line_ends();
  if (ends_with_cr_) std::replace(buffer_.begin(), buffer_.begin() + end_, '\r', '\n');
  position_ = 0;
  return end_ != 0;
}

/// By the first line end. A \r that is the last byte so far may be half of \r\n.
void LineReader::know_line_ends() {
  const auto end = [&] { return std::string_view(buffer_.data(), end_).find_first_of("\r\n"); };
  while (end_ > 0 && end() + 1 == end_ && buffer_[end_ - 1] == '\r' && end_ < buffer_.size()) {
    const std::size_t more = read_bytes(buffer_.data() + end_, buffer_.size() - end_);
    if (more == 0) break;
    end_ += more;
  }
  knows_ends_ = end() < end_;
  ends_with_cr_ = knows_ends_ && std::string_view(buffer_.data(), end_).find('\n') == std::string_view::npos;
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
