#include "output/row_outputs.hpp"

#include <algorithm>
#include <utility>

#include "output/tables/table_output.hpp"

namespace quarry::cli {

void RowOutputs::add_file(const std::string& path, const std::string& header) {
  add_file(
      [shard = shard_, path, number = static_cast<int>(files_.size())]() -> std::unique_ptr<RowFile> {
        if (shard != nullptr) return std::make_unique<ShardText>(*shard, number);
        return std::make_unique<TableOutput>(path);
      },
      header);
}

void RowOutputs::add_file(std::function<std::unique_ptr<RowFile>()> open, const std::string& header) {
  files_.push_back(std::move(open));
  headers_.push_back(header);
  auto output = files_.back()();
  if (ledger_ != nullptr) return;  // the file is made at the end; here it was seen that it can be
  outputs_.push_back(std::move(output));
}

void RowOutputs::load() {
  if (ledger_ == nullptr) return;
  num_rows_ = ledger_->num_rows();
  if (top_ == 0) return;
  ledger_->for_each([&](Index number, const LedgerRow& row) {
    if (row.key) keep({*row.key, number, {}});
  });
}

void RowOutputs::add(LedgerRow row) {
  const Index number = num_rows_++;
  const bool competes = top_ > 0 && row.key;
  if (ledger_ != nullptr) {
    const std::optional<Index> dropped = competes ? keep({*row.key, number, {}}) : std::nullopt;
    if (dropped == number) row.texts.clear();
    ledger_->add(row);
    if (dropped && dropped != number) ledger_->drop_texts(*dropped);
  } else if (competes) {
    keep({*row.key, number, std::move(row.texts)});
  } else {
    write(row.texts);
  }
}

std::optional<Index> RowOutputs::keep(Kept kept) {
  best_.push_back(std::move(kept));
  std::push_heap(best_.begin(), best_.end());
  if (std::ssize(best_) <= top_) return {};
  std::pop_heap(best_.begin(), best_.end());
  const Index dropped = best_.back().number;
  best_.pop_back();
  return dropped;
}

void RowOutputs::write(const std::vector<std::string>& texts) {
  write_headers();
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty()) outputs_[i]->write(texts[i]);
}

void RowOutputs::write_headers() {
  if (std::exchange(begun_, true)) return;
  write(headers_);
}

void RowOutputs::finish() {
  if (ledger_ == nullptr) {
    std::sort(best_.begin(), best_.end());
    write_headers();
    for (const Kept& kept : best_) write(kept.texts);
    for (const auto& output : outputs_) output->finish();
    return;
  }
  ledger_->commit();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto output = files_[i]();
    output->write(headers_[i]);
    ledger_->for_each_text(static_cast<int>(i), top_ > 0, [&](const std::string& text) { output->write(text); });
    output->finish();
  }
}

}  // namespace quarry::cli
