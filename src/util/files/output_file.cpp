/// A compressor in front of a TemporaryFile.
#include "util/files/output_file.hpp"

#include "util/files/compression/compressors.hpp"

namespace quarry {

OutputFile::OutputFile(const std::string& path)
    : file_(std::make_unique<TemporaryFile>(path)), compressor_(compressor_for(path)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) {
  if (compressor_) {
    compressor_->compress(text, false, *file_);
  } else {
    file_->write(text.data(), text.size());
  }
}

void OutputFile::finish() {
  if (compressor_) compressor_->compress({}, true, *file_);
  file_->commit();
}

void OutputFile::finish_at_once() {
  if (compressor_) compressor_->compress({}, true, *file_);
  file_->commit_at_once();
}

}  // namespace quarry
