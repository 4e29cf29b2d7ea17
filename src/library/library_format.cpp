/// Writing and checking header, directory and footer.
#include "library/library_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

#include "quarry/error.hpp"
#include "util/bytes.hpp"

namespace quarry {
namespace {

/// Provenance is pairs of strings, each a 32-bit length and its bytes. Readers skip keys that they do not know.
ByteWriter encode_provenance(const Provenance& provenance) {
  ByteWriter out;
  const auto add = [&](std::string_view key, std::string_view value) {
    for (const std::string_view text : {key, value}) {
      out.put<std::uint32_t>(text.size());
      out.append_text(text);
    }
  };
  add("source", provenance.source);
  add("command", provenance.command);
  add("created", provenance.created);
  add("version", provenance.version);
  add("explicit_hydrogens", provenance.explicit_hydrogens ? "1" : "0");
  if (!provenance.stereo) add("stereo", "0");
  add("format", provenance.format == RecordFormat::sdf ? "sdf" : "smiles");
  if (!provenance.identity.empty()) add("identity", provenance.identity);
  if (provenance.first_row != 0) add("first_row", std::to_string(provenance.first_row));
  if (provenance.distinct_ids) add("distinct_ids", "1");
  return out;
}

Index number_of(const std::string& text, const std::string& what) {
  Index number = -1;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || number < 0) throw InputError(what + " is no number of rows");
  return number;
}

Provenance decode_provenance(std::span<const std::byte> bytes, const std::string& name) {
  const std::string at = name + ", provenance: ";
  ByteReader reader(bytes, at);
  Provenance provenance;
  while (!reader.empty()) {
    const std::string key = reader.take_text(reader.take<std::uint32_t>());
    const std::string value = reader.take_text(reader.take<std::uint32_t>());
    if (key == "source") provenance.source = value;
    if (key == "command") provenance.command = value;
    if (key == "created") provenance.created = value;
    if (key == "version") provenance.version = value;
    if (key == "explicit_hydrogens") {
      if (value != "0" && value != "1") throw InputError(at + "explicit_hydrogens is neither 0 nor 1");
      provenance.explicit_hydrogens = value == "1";
    }
    if (key == "identity") provenance.identity = value;
    if (key == "first_row") provenance.first_row = number_of(value, at + "first_row");
    if (key == "distinct_ids") provenance.distinct_ids = value == "1";
    if (key == "stereo") provenance.stereo = value != "0";
    if (key == "format") {
      if (value != "smiles" && value != "sdf") throw InputError(at + "format is neither smiles nor sdf");
      provenance.format = value == "sdf" ? RecordFormat::sdf : RecordFormat::smiles;
    }
  }
  return provenance;
}

void check_header(std::span<const std::byte> file, const std::string& name, bool verify_checksums) {
  if (file.empty()) throw InputError(name + " is empty, not a Quarry library");
  if (file.size() < sizeof(FileHeader)) {
    throw InputError(fmt::format("{} is too short for a Quarry library ({} bytes)", name, file.size()));
  }
  const auto header = ByteReader(file, name).take<FileHeader>();
  if (header.magic != kFileMagic) throw InputError(name + " is not a Quarry library (it does not begin with QUARRYLB)");
  if (header.endian_mark != kEndianMark) {
    throw InputError(
        fmt::format("{}: the header is damaged, or written by a machine of another byte order (mark {:08x})", name,
                    header.endian_mark));
  }
  if (header.version > kFormatVersion) {
    throw InputError(fmt::format("{} is in format version {}; this program reads versions up to {}: update Quarry",
                                 name, header.version, kFormatVersion));
  }
  if (header.version == 0 || (verify_checksums && checksum_of(header) != header.checksum)) {
    throw InputError(name + ": the header is damaged (checksum)");
  }
}

Footer read_footer(std::span<const std::byte> file, const std::string& name, bool verify_checksums) {
  Footer footer;
  const bool room = file.size() >= sizeof(FileHeader) + sizeof footer;
  if (room) footer = ByteReader(file.last(sizeof footer), name).take<Footer>();
  if (!room || footer.magic != kFooterMagic) {
    throw InputError(
        fmt::format("{} ends before its directory (no footer after {} bytes); was the index run or the copy "
                    "interrupted?",
                    name, file.size()));
  }
  if (verify_checksums && checksum_of(footer) != footer.checksum) {
    throw InputError(name + ": the footer is damaged (checksum)");
  }
  const std::uint64_t end = file.size() - sizeof footer;
  if (footer.directory_offset < sizeof(FileHeader) || footer.directory_offset > end ||
      footer.num_chunks > (end - footer.directory_offset) / sizeof(DirectoryEntry) ||
      footer.provenance_bytes > end - footer.directory_offset ||
      footer.directory_offset + footer.num_chunks * sizeof(DirectoryEntry) + round_up_to_8(footer.provenance_bytes) !=
          end) {
    throw InputError(
        fmt::format("{}: the footer states {} chunks in a directory at byte {}, which does not fit {} bytes", name,
                    footer.num_chunks, footer.directory_offset, file.size()));
  }
  return footer;
}

void check_entries(const std::vector<DirectoryEntry>& entries, std::uint64_t end, const std::string& name) {
  std::uint64_t next = sizeof(FileHeader);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const DirectoryEntry& entry = entries[i];
    if (entry.offset != next || entry.bytes % 8 != 0 || entry.bytes > end - next) {
      throw InputError(fmt::format("{}, directory: chunk {} of {} bytes at byte {} does not fit the file", name, i,
                                   entry.bytes, entry.offset));
    }
    if (!possible(entry.counts)) {
      throw InputError(fmt::format("{}, directory: the counts of chunk {} make no sense", name, i));
    }
    next += entry.bytes;
  }
  if (next != end) throw InputError(fmt::format("{}, directory: the chunks end at byte {} of {}", name, next, end));
}

}  // namespace

std::uint64_t checksum_of(const FileHeader& header) {
  return checksum_of(bytes_of(header).first(offsetof(FileHeader, checksum)));
}

std::uint64_t checksum_of(const Footer& footer) {
  return checksum_of(bytes_of(footer).first(offsetof(Footer, checksum)));
}

std::vector<std::byte> encode_header() {
  FileHeader header;
  header.checksum = checksum_of(header);
  const auto bytes = bytes_of(header);
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> encode_directory(const Directory& directory, std::uint64_t offset) {
  const ByteWriter provenance = encode_provenance(directory.provenance);
  ByteWriter out;
  out.append(std::as_bytes(std::span(directory.entries)));
  out.append(provenance.bytes());
  out.align(8);

  Footer footer;
  footer.directory_offset = offset;
  footer.num_chunks = directory.entries.size();
  footer.provenance_bytes = provenance.size();
  footer.directory_checksum = checksum_of(out.bytes());
  footer.checksum = checksum_of(footer);
  out.append(bytes_of(footer));
  return out.take();
}

Directory read_directory(std::span<const std::byte> file, const std::string& name, bool verify_checksums) {
  check_header(file, name, verify_checksums);
  const Footer footer = read_footer(file, name, verify_checksums);
  const auto bytes = file.subspan(footer.directory_offset, file.size() - sizeof footer - footer.directory_offset);
  if (verify_checksums && checksum_of(bytes) != footer.directory_checksum) {
    throw InputError(name + ": the directory is damaged (checksum)");
  }
  ByteReader reader(bytes, name + ", directory: ");
  Directory directory;
  directory.entries.resize(footer.num_chunks);
  std::ranges::generate(directory.entries, [&] { return reader.take<DirectoryEntry>(); });
  check_entries(directory.entries, footer.directory_offset, name);
  directory.provenance = decode_provenance(reader.take_bytes(footer.provenance_bytes), name);
  return directory;
}

}  // namespace quarry
