/// Calls into every part of the library, and catches the error that it throws.
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/library.hpp"
#include "quarry/mine.hpp"
#include "quarry/similar.hpp"
#include "quarry/version.hpp"
#include "quarry/watch.hpp"

int main() {
  const auto graph = quarry::generate_graph("complete:5");
  const auto triangles = quarry::mine::count(graph, quarry::parse_graph_pattern("triangle"));
  const std::vector<std::string> smiles = {"CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Oc1ccccc1C(=O)O"};
  const auto fingerprints = quarry::similar::Fingerprints::of_smiles(smiles);
  const auto neighbours = quarry::similar::search(fingerprints, fingerprints);
  std::printf("Quarry %s, RDKit %s: %s triangles, %zu neighbours\n", quarry::kVersion, quarry::rdkit_version().c_str(),
              quarry::mine::to_text(triangles.subgraphs).c_str(), neighbours.items.size());
  quarry::watch::Watch watch(graph, {quarry::parse_graph_pattern("triangle")});
  quarry::GraphUpdate update;
  update.kind = quarry::GraphUpdate::Kind::delete_edge;
  update.to = 1;
  watch.feed(update);
  quarry::watch::OwnedAlert alert;
  if (!watch.next(alert) || alert.subgraphs != 3) return 1;
  if (triangles.subgraphs != 10 || neighbours.items.size() != 4) return 1;
  try {
    const auto library = quarry::Library::open("no such file.qlib");
    std::printf("%s\n", library.provenance().source.c_str());
  } catch (const quarry::InputError& error) {
    std::printf("%s\n", error.what());
    return 0;
  }
  return 1;
}
