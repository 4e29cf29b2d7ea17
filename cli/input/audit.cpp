#include "input/audit.hpp"

#include <fmt/format.h>

#include "arguments/arguments.hpp"
#include "common.hpp"
#include "output/text.hpp"

namespace quarry::cli {

void add_audit_option(Arguments& verb, ReadOptions& options) {
  constexpr double kUsualShare = 0.001;
  options.audit = kUsualShare;
  verb.option(
      "--audit",
      [&options](const std::string& text) { options.audit = parse_percent("--audit", text, /*zero=*/true) / 100; },
      "Read this percentage of the SMILES that are read without RDKit by RDKit too; a difference ends with "
      "exit status 2 "
      "(default: 0.1%)",
      {.shown_as = "P%"});
}

std::string audit_text(const Audit& audit) {
  if (audit.rows == 0) return "";
  const std::string differences = audit.differences == 0 ? "" : fmt::format(", {} differ", audit.differences);
  return fmt::format("; audited {}{}", counted(audit.rows, "row"), differences);
}

Json audit_json(const Audit& audit) { return {{"rows", audit.rows}, {"differences", audit.differences}}; }

std::string complaint_of(const Audit& audit) {
  return fmt::format(
      "{}: Quarry reads another molecule than RDKit; so it does in {} of {} audited rows. This is an error of Quarry: "
      "please report the row. With --audit 100% a run takes RDKit's molecule of every row",
      audit.first_difference, audit.differences, audit.rows);
}

bool complain_of_audit(const Audit& audit) {
  if (audit.differences > 0) complain(complaint_of(audit));
  return audit.differences > 0;
}

}  // namespace quarry::cli
