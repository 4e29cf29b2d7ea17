/// What igraph reads becomes rows and names. It is the only file that sees igraph.
///
/// igraph has one error handler, one attribute table and one list of what to free for the whole process, so one thread
/// at a time is within it, and its settings are put back afterwards.
#include "graph/read/igraph_file.hpp"

#include <fmt/format.h>
#include <igraph.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>

#include "graph/graph_rows.hpp"
#include "graph/read/text_graph.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/file_name.hpp"
#include "util/files/line_reader.hpp"
#include "util/memory/memory_budget.hpp"

namespace quarry {
namespace {

constexpr std::size_t kTextPiece = std::size_t{1} << 22;
/// igraph takes up to this many bytes of memory for one of text, and for each vertex of a Pajek file without rows.
constexpr Index kMemoryPerByte = 12, kMemoryPerVertex = 64;

struct IgraphFailure {
  std::string reason;
};

std::string& last_reason() {
  static thread_local std::string reason;
  return reason;
}

/// igraph may call this several times on the way out of one error: the first one says what is wrong.
void keep_reason(const char* reason, const char*, int, igraph_error_t code) {
  if (last_reason().empty()) last_reason() = reason != nullptr && *reason != 0 ? reason : igraph_strerror(code);
  IGRAPH_FINALLY_FREE();
}
void ignore_warning(const char*, const char*, int) {}
[[noreturn]] void fail(const char* reason, const char*, int) { throw IgraphFailure{reason}; }

/// Igraph's settings as they are wanted here, and as they were before.
class IgraphSettings {
 public:
  IgraphSettings()
      : lock_(mutex()),
        error_(igraph_set_error_handler(keep_reason)),
        warning_(igraph_set_warning_handler(ignore_warning)),
        fatal_(igraph_set_fatal_handler(fail)),
        attributes_(igraph_set_attribute_table(&igraph_cattribute_table)) {
    last_reason().clear();
  }
  IgraphSettings(const IgraphSettings&) = delete;
  IgraphSettings& operator=(const IgraphSettings&) = delete;
  ~IgraphSettings() {
    igraph_set_error_handler(error_);
    igraph_set_warning_handler(warning_);
    igraph_set_fatal_handler(fatal_);
    igraph_set_attribute_table(attributes_);
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
  igraph_error_handler_t* error_;
  igraph_warning_handler_t* warning_;
  igraph_fatal_handler_t* fatal_;
  igraph_attribute_table_t* attributes_;
};

void require(igraph_error_t code) {
  if (code != IGRAPH_SUCCESS) throw IgraphFailure{last_reason()};
}

/// Lists of igraph, freed at the end.
struct Strings {
  igraph_strvector_t value;
  Strings() { require(igraph_strvector_init(&value, 0)); }
  ~Strings() { igraph_strvector_destroy(&value); }
  Strings(const Strings&) = delete;
  Strings& operator=(const Strings&) = delete;
  std::vector<std::string> list() const {
    std::vector<std::string> all;
    for (igraph_integer_t i = 0; i < igraph_strvector_size(&value); ++i)
      all.emplace_back(igraph_strvector_get(&value, i));
    return all;
  }
};
struct Integers {
  igraph_vector_int_t value;
  Integers() { require(igraph_vector_int_init(&value, 0)); }
  ~Integers() { igraph_vector_int_destroy(&value); }
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;
};

class IgraphGraph {
 public:
  IgraphGraph(std::string& text, const std::string& format) {
    FILE* const file = ::fmemopen(text.data(), text.size(), "r");
    if (file == nullptr) throw IgraphFailure{"it cannot be opened in memory"};
    const auto close = std::unique_ptr<FILE, int (*)(FILE*)>(file, std::fclose);
    require(format == "graphml" ? igraph_read_graph_graphml(&graph_, file, 0)
            : format == "gml"   ? igraph_read_graph_gml(&graph_, file)
                                : igraph_read_graph_pajek(&graph_, file));
    igraph_to_free_ = &graph_;
  }
  IgraphGraph(const IgraphGraph&) = delete;
  IgraphGraph& operator=(const IgraphGraph&) = delete;
  ~IgraphGraph() {
    if (igraph_to_free_ != nullptr) igraph_destroy(igraph_to_free_);
  }

  Index num_vertices() const { return igraph_vcount(&graph_); }
  Index num_edges() const { return igraph_ecount(&graph_); }
  bool is_directed() const { return igraph_is_directed(&graph_); }
  std::pair<Index, Index> edge(Index edge) const {
    igraph_integer_t from = 0, to = 0;
    require(igraph_edge(&graph_, edge, &from, &to));
    return {from, to};
  }
  std::vector<std::string> edge_data() const {
    Strings of_graph, of_vertices, of_edges;
    Integers types_of_graph, types_of_vertices, types_of_edges;
    require(igraph_cattribute_list(&graph_, &of_graph.value, &types_of_graph.value, &of_vertices.value,
                                   &types_of_vertices.value, &of_edges.value, &types_of_edges.value));
    return of_edges.list();
  }
  /// The values of an attribute of vertices as text; none where there is no such attribute.
  std::optional<std::vector<std::string>> vertex_texts(const char* attribute) const {
    if (!igraph_cattribute_has_attr(&graph_, IGRAPH_ATTRIBUTE_VERTEX, attribute)) return {};
    igraph_attribute_type_t type = IGRAPH_ATTRIBUTE_UNSPECIFIED;
    require(igraph_cattribute_table.gettype(&graph_, &type, IGRAPH_ATTRIBUTE_VERTEX, attribute));
    std::vector<std::string> texts(num_vertices());
    for (std::size_t v = 0; v < texts.size(); ++v) {
      if (type == IGRAPH_ATTRIBUTE_STRING)
        texts[v] = VAS(&graph_, attribute, static_cast<igraph_integer_t>(v));
      else if (type == IGRAPH_ATTRIBUTE_NUMERIC)
        texts[v] = fmt::format("{}", VAN(&graph_, attribute, static_cast<igraph_integer_t>(v)));
      else
        return {};
    }
    return texts;
  }

 private:
  igraph_t graph_;
  igraph_t* igraph_to_free_ = nullptr;
};

/// The ids of vertices, from which numbers or names are made.
struct VertexIds {
  std::vector<std::string> texts;  // [vertices]
  std::string kind;                // "id", "label" or "number"
};

bool are_distinct(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return std::ranges::count(texts, "") == 0 && std::ranges::adjacent_find(texts) == texts.end();
}

VertexIds ids_of(const IgraphGraph& graph, const std::string& format) {
  using Choice = std::pair<const char*, const char*>;
  const auto choices = format == "graphml" ? std::vector<Choice>{{"id", "id"}}
                       : format == "gml"   ? std::vector<Choice>{{"label", "label"}, {"id", "id"}}
                                           : std::vector<Choice>{{"name", "label"}};
  for (const auto& [attribute, kind] : choices) {
    auto texts = graph.vertex_texts(attribute);
    if (texts && are_distinct(*texts)) return {std::move(*texts), kind};
  }
  VertexIds numbers{{}, "number"};
  for (Index v = 0; v < graph.num_vertices(); ++v) numbers.texts.push_back(fmt::format("{}", v + 1));
  return numbers;
}

/// igraph leaves this one entity of XML as it is.
void decode_ampersands(std::string& text) {
  constexpr std::string_view kEntity = "&#38;";
  for (std::size_t at = text.find(kEntity); at != std::string::npos; at = text.find(kEntity, at + 1))
    text.replace(at, kEntity.size(), "&");
}

/// Whole numbers, where all ids are, as they would be written.
std::optional<std::vector<std::uint64_t>> numbers_of(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& text : texts) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || fmt::format("{}", number) != text) return {};
    numbers.push_back(number);
  }
  return numbers;
}

template <class Key>
std::vector<std::uint32_t> order_of(const std::vector<Key>& keys) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t v) -> const Key& { return keys[v]; });
  return order;
}

/// Enters the ids, ascending. @return  the vertex of the file at each place
std::vector<std::uint32_t> enter_ids(const std::vector<std::string>& texts, GraphColumns& columns) {
  const auto numbers = numbers_of(texts);
  const std::vector<std::uint32_t> order = numbers ? order_of(*numbers) : order_of(texts);
  if (order.empty()) return order;
  if (!numbers) {
    columns.name_offsets.assign(1, 0);
    for (const std::uint32_t v : order) {
      columns.name_text += texts[v];
      columns.name_offsets.push_back(columns.name_text.size());
    }
    return order;
  }
  columns.first_id = (*numbers)[order.front()];
  if ((*numbers)[order.back()] - columns.first_id == order.size() - 1) return order;
  for (const std::uint32_t v : order) columns.ids.push_back((*numbers)[v]);
  return order;
}

LoadedGraph loaded_from(const IgraphGraph& graph, const std::string& format, const GraphReadOptions& options,
                        const MemoryBudget& budget, const std::string& name) {
  if (graph.num_vertices() > kMaxVertices)
    throw CapacityError(name + ": vertices of a graph", kMaxVertices, graph.num_vertices());
  budget.require(build_bytes(graph.num_vertices(), graph.num_edges(), false),
                 fmt::format("{}, with {} vertices and {} edges", name, graph.num_vertices(), graph.num_edges()));
  VertexIds ids = ids_of(graph, format);
  if (format == "graphml") std::ranges::for_each(ids.texts, decode_ampersands);
  GraphReport report;
  report.format = format;
  report.named_by = ids.kind;
  report.directed = graph.is_directed();
  report.edge_data = graph.edge_data();
  report.rows = report.ok = graph.num_edges();
  GraphColumns columns;
  const std::vector<std::uint32_t> order = enter_ids(ids.texts, columns);
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t v = 0; v < order.size(); ++v) rank[order[v]] = v;
  EdgeBatch edges;
  for (Index e = 0; e < graph.num_edges(); ++e) {
    const auto [from, to] = graph.edge(e);
    edges.add(rank[from], rank[to]);
  }
  std::vector<EdgeBatch> batches;
  batches.push_back(std::move(edges));
  return load_graph(graph.num_vertices(), std::move(columns), std::move(batches), false, options.threads,
                    std::move(report));
}

/// The whole text, for which and for what igraph makes of it there is memory.
std::string read_all(const std::string& path, const GraphReadOptions& options, const MemoryBudget& budget) {
  std::string text, piece;
  for (LineReader lines(path); lines.next_lines(piece, kTextPiece);) {
    text += piece;
    budget.require(kMemoryPerByte * std::ssize(text), fmt::format("{}, with {} bytes", input_name(path), text.size()));
    if (options.progress) options.progress(lines.bytes_read(), lines.bytes_total());
  }
  if (text.empty()) throw InputError(input_name(path) + " is empty");
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos)
    throw InputError(fmt::format("{} is no graph: byte {} is 0x00, which no text has", input_name(path), zero));
  return text;
}

/// Number of vertices that a Pajek file states, for which igraph takes memory before it has read a row.
Index stated_by_pajek(std::string_view text) {
  constexpr std::string_view kWord = "*vertices";
  const std::size_t at = lower_case(std::string(text.substr(0, kTextPiece))).find(kWord);
  if (at == std::string::npos) return 0;
  const std::string_view number = trimmed(text.substr(at + kWord.size(), 40));
  Index stated = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), stated);
  return error == std::errc::result_out_of_range ? kMaxVertices + 1 : stated;
}

/// As a part of a sentence: without a full stop, on one line.
std::string as_clause(std::string reason) {
  while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n' || reason.back() == ' ')) reason.pop_back();
  constexpr std::size_t kShownReason = 200;
  return shown(reason, kShownReason);
}

}  // namespace

std::string igraph_format(const std::string& path, std::string_view first, const std::string& source) {
  const std::string name = lower_case(std::string(without_compression(path)));
  if (name.ends_with(".graphml")) return "graphml";
  if (name.ends_with(".gml")) return "gml";
  constexpr std::string_view kBlanks = " \t\r\n\xEF\xBB\xBF";  // and a byte order mark
  const std::string text = lower_case(std::string(trimmed(first.substr(0, 4096), kBlanks)));
  const bool pajek_name = name.ends_with(".net") || name.ends_with(".paj");
  if (pajek_name && (text.empty() || std::string_view("*%/").find(text[0]) != std::string_view::npos)) return "pajek";
  const bool is_gexf = text.find("<gexf") != std::string::npos && text.find("<graphml") == std::string::npos;
  if (text.starts_with("<gexf") || (text.starts_with("<?xml") && is_gexf))
    throw InputError(source + " is GEXF, which is not read: save the graph as GraphML, GML or a list of edges");
  if (text.starts_with("<?xml") || text.starts_with("<graphml")) return "graphml";
  if (text.starts_with("*vertices") || text.starts_with("*network")) return "pajek";
  const bool opens = text.starts_with("graph") && trimmed(std::string_view(text).substr(5), kBlanks).starts_with('[');
  return opens || text.starts_with("creator \"") ? "gml" : "";
}

LoadedGraph read_igraph_file(const std::string& path, const std::string& format, const GraphReadOptions& options) {
  const std::string name = input_name(path);
  if (!options.vertex_labels.empty() || options.edge_labels)
    throw InputError(fmt::format("{}: labels are read from edge lists and .mtx, not from {}", name, format));
  const MemoryBudget budget(options.memory_bytes);
  std::string text = read_all(path, options, budget);
  if (format == "pajek") {
    const Index stated = stated_by_pajek(text);
    if (stated > kMaxVertices) throw CapacityError(name + ": vertices of a graph", kMaxVertices, stated);
    budget.require(kMemoryPerVertex * stated, fmt::format("{}, with {} vertices", name, stated));
  }
  const IgraphSettings settings;
  try {
    const IgraphGraph graph(text, format);
    return loaded_from(graph, format, options, budget, name);
  } catch (const IgraphFailure& failure) {
    throw InputError(fmt::format("{} cannot be read as {}: {}", name, format, as_clause(failure.reason)));
  }
}

}  // namespace quarry
