/// PERF: 18 instructions a byte as TSV and 195 as JSON became 5 each. The room for all rows of a molecule is made at once, and
/// what stands around its name, its counts and its atoms is ready for each query.
#include "output/pairs/pair_rows.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "output/json.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

constexpr std::size_t kMaxDigits = 20, kMaxAtomDigits = 10;

/// What stands between the values of a row.
struct PairStyle {
  std::string (*cell)(std::string_view) = tsv_safe;
  std::string_view header = {}, header_of_mappings = {};
  std::string_view before_molecule = {}, before_query, before_count, before_status, after_status = {};
  std::string_view before_mappings, between_mappings, after_mappings = {}, no_mappings;
  std::string_view one_atom = {};  ///< stands for both where the mapping is one number and needs no quotes
  std::string_view end;
};

constexpr PairStyle kPairTabs = {.header = "molecule\tquery\tcount\tstatus",
                                 .header_of_mappings = "\tmapping",
                                 .before_query = "\t",
                                 .before_count = "\t",
                                 .before_status = "\t",
                                 .before_mappings = "\t",
                                 .between_mappings = ";",
                                 .no_mappings = "\t",
                                 .one_atom = "\t",
                                 .end = "\n"};
constexpr PairStyle kPairCommas = {.cell = csv_safe,
                                   .header = "molecule,query,count,status",
                                   .header_of_mappings = ",mapping",
                                   .before_query = ",",
                                   .before_count = ",",
                                   .before_status = ",",
                                   .before_mappings = ",\"",
                                   .between_mappings = ";",
                                   .after_mappings = "\"",
                                   .no_mappings = ",",
                                   .one_atom = ",",
                                   .end = "\n"};
constexpr PairStyle kPairObjects = {.cell = json_text,
                                    .before_molecule = "{\"molecule\":",
                                    .before_query = ",\"query\":",
                                    .before_count = ",\"count\":",
                                    .before_status = ",\"status\":\"",
                                    .after_status = "\"",
                                    .before_mappings = ",\"mappings\":[[",
                                    .between_mappings = "],[",
                                    .after_mappings = "]]",
                                    .no_mappings = ",\"mappings\":[]",
                                    .end = "}\n"};

char* copy(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// Text with bytes behind it that may be copied too.
class PaddedText {
 public:
  explicit PaddedText(std::string_view text) : bytes_(text), size_(text.size()) {
    bytes_.resize(std::max(size_ + 1, kCopiedBytes));
  }
  std::size_t size() const { return size_; }
  /// PERF: most texts are short, and a copy whose length is known takes two instructions. The bytes behind the text at
  /// `out` may be written.
  char* copy_to(char* out) const {
    std::memcpy(out, bytes_.data(), kCopiedBytes);
    if (size_ > kCopiedBytes) std::memcpy(out + kCopiedBytes, bytes_.data() + kCopiedBytes, size_ - kCopiedBytes);
    return out + size_;
  }
  static constexpr std::size_t kCopiedBytes = 32;

 private:
  std::string bytes_;
  std::size_t size_;
};

char* copy_number(char* out, std::uint64_t number) {
  if (number >= 100) return std::to_chars(out, out + kMaxDigits, number).ptr;
  if (number >= 10) *out++ = static_cast<char>('0' + number / 10);
  *out++ = static_cast<char>('0' + number % 10);
  return out;
}

/// "0,4,5;2,3,1": data atom per query atom, from 0, with `separator` between embeddings.
char* copy_mappings(char* out, std::span<const std::uint32_t> mappings, std::size_t num_atoms,
                    std::string_view separator) {
  for (std::size_t first = 0; first < mappings.size(); first += num_atoms) {
    if (first > 0) out = copy(out, separator);
    for (const std::uint32_t atom : mappings.subspan(first, std::min(num_atoms, mappings.size() - first))) {
      out = copy_number(out, atom);
      *out++ = ',';
    }
    --out;
  }
  return out;
}

class PairRows : public HitFormat {
 public:
  PairRows(const PairStyle& style, const std::vector<match::HitsQuery>& queries, bool with_mappings)
      : style_(style), with_mappings_(with_mappings) {
    for (const match::HitsQuery& query : queries) {
      std::string before_count(style.before_query);
      before_count.append(style.cell(query.id)).append(style.before_count);
      std::string once = before_count + '1';
      once.append(style.before_status).append("ok").append(style.after_status);
      if (!with_mappings) once.append(style.end);
      queries_.push_back({PaddedText(before_count), PaddedText(once), static_cast<std::size_t>(query.num_atoms)});
      longest_ = std::max(longest_, queries_.back().once.size());
    }
    longest_ += kMaxDigits + style.after_status.size() + std::string_view("truncated").size() +
                style.before_mappings.size() + style.no_mappings.size() + style.after_mappings.size() +
                style.end.size();
  }

  std::string header() const override {
    if (style_.header.empty()) return {};
    return std::string(style_.header).append(with_mappings_ ? style_.header_of_mappings : "").append("\n");
  }
  bool writes_pairs() const override { return true; }

  void append(const MoleculeHits& molecule, std::string& text) const override {
    const PaddedText name(std::string(style_.before_molecule).append(style_.cell(molecule.name)));
    const auto room = std::make_unique_for_overwrite<char[]>(most_bytes(molecule, name.size()));
    char* out = room.get();
    for (Index i = molecule.first_hit; i < molecule.last_hit; ++i)
      out = copy_row(name.copy_to(out), molecule.hit(i), molecule.mappings(i));
    text.append(room.get(), out);
  }

 private:
  struct QueryText {
    PaddedText before_count;  ///< from the end of the molecule's name
    PaddedText once;          ///< to the end of "ok" where the count is 1, or of the row
    std::size_t num_atoms;
  };

  std::size_t most_bytes(const MoleculeHits& molecule, std::size_t name_bytes) const {
    const std::size_t num_hits = molecule.last_hit - molecule.first_hit;
    std::size_t bytes = num_hits * (name_bytes + longest_) + PaddedText::kCopiedBytes;
    if (with_mappings_)
      for (Index i = molecule.first_hit; i < molecule.last_hit; ++i)
        bytes += molecule.mappings(i).size() * (kMaxAtomDigits + 1 + style_.between_mappings.size());
    return bytes;
  }

  char* copy_row(char* out, const match::Hit& hit, std::span<const std::uint32_t> mappings) const {
    const QueryText& query = queries_[hit.query];
    if (hit.embeddings == 1 && !hit.truncated && !hit.timeout && !hit.overflow) {
      out = query.once.copy_to(out);
      if (!with_mappings_) return out;
    } else {
      out = copy_number(query.before_count.copy_to(out), hit.embeddings);
      out = copy(copy(copy(out, style_.before_status), status_of(hit)), style_.after_status);
    }
    if (with_mappings_) out = copy_mapping_cell(out, mappings, query.num_atoms);
    return copy(out, style_.end);
  }

  char* copy_mapping_cell(char* out, std::span<const std::uint32_t> mappings, std::size_t num_atoms) const {
    if (mappings.empty()) return copy(out, style_.no_mappings);
    if (mappings.size() == 1 && !style_.one_atom.empty())
      return copy_number(copy(out, style_.one_atom), mappings.front());
    out = copy_mappings(copy(out, style_.before_mappings), mappings, num_atoms, style_.between_mappings);
    return copy(out, style_.after_mappings);
  }

  const PairStyle& style_;
  bool with_mappings_;
  std::vector<QueryText> queries_;
  std::size_t longest_ = 0;  ///< bytes of a row without the name of its molecule and its atoms, at most
};

}  // namespace

std::unique_ptr<HitFormat> make_pair_rows(const std::string& extension, const std::vector<match::HitsQuery>& queries,
                                          bool with_mappings) {
  if (extension.empty() || extension == ".tsv") return std::make_unique<PairRows>(kPairTabs, queries, with_mappings);
  if (extension == ".csv") return std::make_unique<PairRows>(kPairCommas, queries, with_mappings);
  if (extension == ".jsonl") return std::make_unique<PairRows>(kPairObjects, queries, with_mappings);
  return nullptr;
}

}  // namespace quarry::cli
