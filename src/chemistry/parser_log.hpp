/// What RDKit says when it refuses a record.
///
/// RDKit's SMILES and SMARTS parsers return a null pointer and write the reason only to a log that all threads share.
/// So the logs are off, every parse holds a shared lock, and a refused record is parsed again, alone, with the error
/// log written to a string.
#pragma once
#include <functional>
#include <memory>
#include <string>

namespace quarry {

/// Held while RDKit parses; the first one turns RDKit's logs off for the process.
class ParserGuard {
 public:
  ParserGuard();
  ParserGuard(const ParserGuard&) = delete;
  ParserGuard& operator=(const ParserGuard&) = delete;
  ~ParserGuard();
};

/// Runs `parse` while no ParserGuard is held. The caller must hold none.
/// @return what RDKit wrote to its error log: the first line, without the time; empty where it wrote nothing
std::string parser_complaint(const std::function<void()>& parse);

/// The first line of a text that RDKit gave as a reason, because a reason is one field of a table.
std::string one_line(std::string text);

}  // namespace quarry
