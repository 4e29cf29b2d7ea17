/// Every set of alerts against RDKit's FilterCatalog, molecule by molecule, on optional data. RDKit takes milliseconds for a
/// molecule and all sets, so of the large files every n-th line is taken.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "quarry/match.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/line_reader.hpp"

namespace quarry::test {
namespace {

struct Sample {
  const char* file;
  Index stride;  ///< every such line, from the first
};

std::string sample_text(const std::string& path, Index stride) {
  std::string text;
  LineReader lines(path);
  for (std::string line; lines.next(line);)
    if ((lines.line_number() - 1) % stride == 0) text += line + "\n";
  return text;
}

class AlertSetsOfSharedData : public ::testing::TestWithParam<Sample> {};

TEST_P(AlertSetsOfSharedData, AgreeWithRdkit) {
  const std::string path = shared_data(std::string("molecules/") + GetParam().file);
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  std::vector<std::string> names;
  std::vector<match::AlertCheck> checks;
  for (const char* const name : {"pains", "brenk", "nih", "zinc"}) {
    names.emplace_back(name);
    checks.emplace_back(name, match::Options{});
  }
  std::vector<match::AlertAgreement> totals(checks.size());
  const TemporaryFolder folder;
  MoleculeReader reader(folder.write("sample.smi", sample_text(path, GetParam().stride)));
  while (const auto library = reader.next())
    for (std::size_t i = 0; i < checks.size(); ++i) totals[i] += checks[i].compare(*library);
  for (std::size_t i = 0; i < checks.size(); ++i) {
    EXPECT_GT(totals[i].both, 0) << names[i];
    EXPECT_EQ(totals[i].differing, 0) << names[i] << ": " << totals[i].differences.front();
    std::cout << "  " << names[i] << ": " << totals[i].molecules << " molecules, " << totals[i].both
              << " flagged by both\n";
  }
}

INSTANTIATE_TEST_SUITE_P(Files, AlertSetsOfSharedData,
                         ::testing::Values(Sample{"drugs.smi.gz", 1}, Sample{"awkward.smi.gz", 1},
                                           Sample{"large-10k.smi.gz", 8}, Sample{"zinc-115k.smi.gz", 24},
                                           Sample{"mixed-1m.smi.gz", 200}),
                         [](const auto& test) {
                           const std::string file = test.param.file;
                           return file.substr(0, file.find_first_of("-."));
                         });

}  // namespace
}  // namespace quarry::test
