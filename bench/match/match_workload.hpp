/// The molecules and queries that `match` is measured on, and the sections of the report.
#pragma once
#include <string>
#include <vector>

#include "bench/machine.hpp"
#include "bench/stopwatch.hpp"
#include "bench/work_folder.hpp"
#include "exec/device_id.hpp"
#include "quarry/match.hpp"

namespace quarry::bench {

/// How much is run.
struct Effort {
  Index num_chunks = 0;        ///< of the library; 0 is all of them
  Index oracle_molecules = 0;  ///< of the library's first molecules, for RDKit
  Index stage_molecules = 0;   ///< and for the table over refinement radii
  int repeats = 0;             ///< of each measurement, of which the median is reported
  Index num_molecules = 0;     ///< of the library; 0 is all of them
};

Effort full_effort();
Effort quick_effort();
/// Of a device: an emulated one takes a second for some hundred molecules.
Effort device_effort(const DeviceId& device_id, bool quick);

/// One library and one query set, with the files they came from.
struct Workload {
  std::string description;  ///< what they are, one phrase
  std::string molecules_path, queries_path;
  std::string packed_path;  ///< the `.qlib` made of them
  Effort effort;
  QuerySet queries;
  std::vector<std::string> records;  ///< SMILES of the rows, as written; of one copy where the library has several
  Index num_rows = 0;                ///< that were indexed, rejected ones included

  Index num_queries() const { return std::ssize(queries.accepted); }
};

/// Finds the 115k drug-like molecules and the 619 queries of the paper in the folder QUARRY_DATA, else in
/// ../shared/data beside the repository; where it is absent takes the examples, repeated. Indexes them into `folder`.
Workload make_workload(const WorkFolder& folder, const Effort& effort);

/// Writes the chunks of a library several times.
void write_copies(const Library& library, const std::string& path, Index copies);

/// The first molecules of a library, in memory.
Library first_molecules(const Library& library, Index num_molecules);

match::Options options_for(match::Mode mode, int threads, int refine = match::Options{}.refine);

/// The sections: each prints a table and returns its numbers.
Json library_section(const Workload& workload);
Json versus_section(const Workload& workload);
Json stages_section(const Workload& workload);
/// @param program  the built `quarry`; without it there is no split
Json split_section(const Workload& workload, const std::string& program);
/// The same: without it, nothing.
Json one_query_section(const Workload& workload, const WorkFolder& folder, const std::string& program);
Json memory_section(const Workload& workload, const WorkFolder& folder);
Json paper_section(const Workload& workload);

/// What one device does, or the host's one core. @throws WrongAnswer  it finds what the host does not
Json device_section(const Workload& workload, const WorkFolder& folder, const DeviceId& device_id);

/// The part of `memory_section` that runs in a process of its own; prints peak kilobytes and hits.
void report_peak_memory(const std::string& packed_path, const std::string& queries_path, int threads);

}  // namespace quarry::bench
