/// Fuzzes the receptor readers: any bytes under any of the four formats give a receptor or an InputError.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "memory_file.hpp"
#include "quarry/receptor.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const char* const formats[] = {"pdb", "cif", "pdbqt", "mol2"};
  const quarry::test::MemoryFile file(data + 1, size - 1);
  try {
    const auto receptor =
        quarry::read_receptor(file.path(), {.keep_waters = (data[0] & 4) != 0, .format = formats[data[0] % 4]});
    if (receptor.atoms.empty()) std::abort();
    for (const auto& atom : receptor.atoms) {
      if (!std::isfinite(atom.position.x + atom.position.y + atom.position.z)) std::abort();
      if (atom.type == quarry::AtomType::hydrogen) std::abort();
    }
  } catch (const quarry::InputError&) {
  }
  return 0;
}
