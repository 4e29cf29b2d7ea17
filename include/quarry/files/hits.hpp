/// The hits of a run in a file, `.qhits`: compact, checksummed, written and read as a stream.
///
/// The format is in docs/hits-format.md.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/match.hpp"

#pragma GCC visibility push(default)
namespace quarry::match {

/// What a file of hits keeps of a query.
struct HitsQuery {
  std::string id;
  Index num_atoms = 0;  ///< of its pattern, at least 1: length of an embedding
  bool operator==(const HitsQuery&) const = default;
};

/// Those of a query set, in the order of QuerySet::accepted.
[[nodiscard]] std::vector<HitsQuery> hits_queries(const QuerySet& queries);

/// The beginning of a file of hits.
struct HitsHeader {
  Mode mode = Mode::first;
  std::vector<HitsQuery> queries;
  /// Whether hits have their atoms: modes all and unique.
  bool has_mappings() const { return mode == Mode::all || mode == Mode::unique; }
  bool operator==(const HitsHeader&) const = default;
};

/// Writes hits, molecule after molecule. The file appears whole or not at all, as any other Output. Move-only.
class HitsWriter {
 public:
  /// @param path  as that of Output
  /// @throws InputError   there is no query
  /// @throws SystemError  the folder cannot be written
  HitsWriter(const std::string& path, const HitsHeader& header);
  /// Gives the bytes of the file to `write`, piece by piece.
  /// @throws InputError  there is no query
  HitsWriter(std::function<void(std::string_view)> write, const HitsHeader& header);
  HitsWriter(HitsWriter&&) noexcept;
  ~HitsWriter();

  /// Adds the next molecule, also one without hits.
  /// @param name      what a table calls it; not kept where it has no hits
  /// @param hits      in order of query
  /// @param mappings  of all its hits, end to end, as in Result; of a hit its embeddings, or nothing
  /// @param offsets   [hits + 1] into `mappings`; empty where the mode has none
  /// @throws SystemError  disk full or write failed
  void add(std::string_view name, std::span<const Hit> hits, std::span<const std::uint32_t> mappings = {},
           std::span<const Index> offsets = {});
  /// Completes the file. @throws SystemError
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The hits of consecutive molecules; those without hits have an empty name.
struct NamedResult : Result {
  std::vector<std::string> names;  ///< [num_molecules]
};

/// Reads a file of hits, block by block. Move-only.
class HitsReader {
 public:
  /// @param path  also compressed; "-" is standard input
  /// @throws InputError  it cannot be read, is no file of hits, is damaged, or of a newer version
  explicit HitsReader(const std::string& path);
  HitsReader(HitsReader&&) noexcept;
  ~HitsReader();

  const HitsHeader& header() const;
  /// Puts the next molecules into `result`. @return false at the end of the file
  /// @throws InputError  the file is damaged or cut short (names the block)
  bool next(NamedResult& result);
  /// Of the whole run; known at the end of the file, 0 before.
  Index num_molecules() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry::match
#pragma GCC visibility pop
