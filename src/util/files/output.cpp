/// The public face of OutputFile.
#include "quarry/files/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "util/files/finished_file.hpp"
#include "util/files/mapping_list.hpp"
#include "util/files/output_file.hpp"
#include "util/files/temporary/temporary_list.hpp"

namespace quarry {

namespace {

bool is_terminal(const std::string& path) {
  if (!path.starts_with("/dev/") && !path.starts_with("/proc/")) return false;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  const bool terminal = descriptor >= 0 && ::isatty(descriptor) == 1;
  if (descriptor >= 0) ::close(descriptor);
  return terminal;
}

}  // namespace

struct Output::Impl {
  OutputFile file;
  bool on_terminal = false;
};

Output::Output(const std::string& path) : impl_(new Impl{OutputFile(path), is_terminal(path)}) {}
Output::Output(Output&&) noexcept = default;
Output& Output::operator=(Output&&) noexcept = default;
Output::~Output() = default;

void Output::write(std::string_view bytes) {
  if (impl_->on_terminal) return impl_->file.write(terminal_safe(bytes));
  impl_->file.write(bytes);
}
void Output::finish() { impl_->file.finish(); }
void Output::finish_at_once() { impl_->file.finish_at_once(); }

std::string terminal_safe(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  int num_left = 0;  // bytes of the character that has begun
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool ends_line = byte == '\n' || (byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n');
    // Control characters of 8 bits: alone, or as two bytes of UTF-8.
    const bool continues = num_left > 0 && byte >= 0x80 && byte < 0xC0;
    const bool is_control_8 =
        byte >= 0x80 && byte < 0xA0 && (!continues || static_cast<unsigned char>(text[i - 1]) == 0xC2);
    num_left = continues ? num_left - 1 : byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC2 ? 1 : 0;
    if ((byte < ' ' && byte != '\t' && !ends_line) || byte == 0x7F || is_control_8)
      safe += fmt::format("\\x{:02x}", byte);
    else
      safe += text[i];
  }
  return safe;
}

void hold_outputs() { hold_finished(); }
void show_outputs() {
  check_all_mappings();
  show_held();
}
void remove_partial_outputs() noexcept { remove_listed_temporaries(); }
void remove_partial_outputs_on_signal() {
  remove_temporaries_on_signal();
  explain_faults_of_mappings();
}

}  // namespace quarry
