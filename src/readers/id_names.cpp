/// How files name what holds their ids, columns of tables and data items of SDF, and columns of SMILES.
#include <algorithm>
#include <cctype>

#include "readers/row_formats.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

/// In lower case, letters and digits only. What names a molecule uniquely stands first.
constexpr std::string_view kIdNames[] = {
    "id",
    "idnumber",
    "catalogid",
    "catalognumber",
    "compoundid",
    "cmpdid",
    "moleculeid",
    "molid",
    "chemblid",
    "moleculechemblid",
    "zincid",
    "enamineid",
    "mculeid",
    "molportid",
    "emoleculesid",
    "drugbankid",
    "substanceid",
    "vendorid",
    "productid",
    "registryid",
    "registrynumber",
    "pubchemcid",
    "pubchemcompoundcid",
    "cid",
    "name",
    "compoundname",
    "moleculename",
    "molname",
    "title",
};

constexpr std::string_view kSmilesNames[] = {"smiles", "canonicalsmiles", "isomericsmiles"};

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const unsigned char letter : lower_case(std::string(name)))
    if (std::isalnum(letter) != 0) plain += static_cast<char>(letter);
  return plain;
}

/// The first of the known names that is among them.
std::optional<std::size_t> find_known(std::span<const std::string> names, std::span<const std::string_view> known) {
  std::vector<std::string> plain(names.size());
  std::ranges::transform(names, plain.begin(), [](const std::string& name) { return plain_name(name); });
  for (const std::string_view name : known) {
    const auto found = std::ranges::find(plain, name);
    if (found != plain.end()) return found - plain.begin();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> find_id_name(std::span<const std::string> names) { return find_known(names, kIdNames); }
std::optional<std::size_t> find_smiles_name(std::span<const std::string> names) {
  return find_known(names, kSmilesNames);
}

std::optional<std::size_t> find_named(std::span<const std::string> names, std::string_view name) {
  const auto exact = std::ranges::find(names, name);
  if (exact != names.end()) return exact - names.begin();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (equal_ignoring_case(trimmed(names[i]), name)) return i;
  return std::nullopt;
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace quarry
