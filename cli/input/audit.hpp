/// `--audit`: a share of the rows that were read without RDKit is read by RDKit too.
#pragma once
#include <string>

#include "output/json.hpp"
#include "quarry/library.hpp"

namespace quarry::cli {

class Arguments;

/// Adds --audit, for a verb that ends with `complain_of_audit`: its source ends a run that does not audit every row at the
/// first difference.
void add_audit_option(Arguments& verb, ReadOptions& options);

/// "; audited 115 rows", for a closing line; empty where none was.
std::string audit_text(const Audit& audit);
/// {"rows": 115, "differences": 0}
Json audit_json(const Audit& audit);
/// Names the first row that RDKit reads as another molecule, and says what to do.
std::string complaint_of(const Audit& audit);
/// Says it, where there is such a row. @return  is there one?
bool complain_of_audit(const Audit& audit);

}  // namespace quarry::cli
