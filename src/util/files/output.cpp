/// The public face of OutputFile.
#include "quarry/files/output.hpp"

#include "util/files/finished_file.hpp"
#include "util/files/mapping_list.hpp"
#include "util/files/output_file.hpp"
#include "util/files/temporary/temporary_list.hpp"

namespace quarry {

struct Output::Impl {
  OutputFile file;
};

Output::Output(const std::string& path) : impl_(new Impl{OutputFile(path)}) {}
Output::Output(Output&&) noexcept = default;
Output& Output::operator=(Output&&) noexcept = default;
Output::~Output() = default;

void Output::write(std::string_view bytes) { impl_->file.write(bytes); }
void Output::finish() { impl_->file.finish(); }
void Output::finish_at_once() { impl_->file.finish_at_once(); }

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
