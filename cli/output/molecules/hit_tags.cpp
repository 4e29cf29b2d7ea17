/// What is written beside a molecule that some query matches.
#include "output/molecules/hit_tags.hpp"

#include "output/text.hpp"

namespace quarry::cli {
namespace {

bool has_atoms(match::Mode mode) { return mode == match::Mode::all || mode == match::Mode::unique; }

/// Matches of one query.
void append_atoms(std::span<const std::uint32_t> mappings, std::size_t num_atoms, const std::vector<Index>& numbers,
                  std::string& text) {
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    if (i > 0) text += i % num_atoms == 0 ? ' ' : ',';
    const std::size_t atom = mappings[i];
    if (numbers.empty())
      append_number(atom, text);
    else if (atom < numbers.size() && numbers[atom] >= 0)
      append_number(numbers[atom], text);
    else
      text += '-';
  }
}

}  // namespace

std::vector<std::string> hit_tag_names(match::Mode mode) {
  std::vector<std::string> names = {"quarry_queries"};
  if (mode != match::Mode::first) names.emplace_back("quarry_counts");
  if (has_atoms(mode)) names.emplace_back("quarry_atoms");
  return names;
}

std::vector<std::string> hit_tags(const MoleculeHits& molecule, const QuerySet& queries, match::Mode mode,
                                  const std::vector<Index>& numbers) {
  std::string ids, counts, atoms;
  bool first = true;
  for (Index i = molecule.first_hit; i < molecule.last_hit; ++i) {
    const match::Hit& hit = molecule.hit(i);
    if (!hit.matched()) continue;
    if (!first)
      for (std::string* value : {&ids, &counts, &atoms}) *value += ';';
    first = false;
    const Query& query = queries.accepted[hit.query];
    ids += query.id;
    append_number(hit.embeddings, counts);
    if (hit.truncated || hit.timeout || hit.overflow) counts += '+';
    append_atoms(molecule.mappings(i), query.pattern.atoms.size(), numbers, atoms);
  }
  std::vector<std::string> values = {tab_safe(ids)};
  if (mode != match::Mode::first) values.push_back(std::move(counts));
  if (has_atoms(mode)) values.push_back(std::move(atoms));
  return values;
}

}  // namespace quarry::cli
