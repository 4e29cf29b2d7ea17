/// The columns of a file of hits, which hits_format.hpp describes, as bytes and back.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "match/hits/hits_format.hpp"
#include "quarry/files/hits.hpp"

namespace quarry::match {

std::vector<std::byte> encode_queries(const HitsHeader& header);
/// @throws DamagedBytes  says what is wrong
HitsHeader decode_queries(std::span<const std::byte> bytes);

std::vector<std::byte> encode_block(const HitsHeader& header, const NamedResult& block);
/// @param part   of the block. Its sizes are checked before they are used
/// @param block  out; its memory is used again
/// @throws DamagedBytes  says what is wrong
void decode_block(const HitsHeader& header, const HitsPart& part, std::span<const std::byte> bytes, NamedResult& block);

}  // namespace quarry::match
