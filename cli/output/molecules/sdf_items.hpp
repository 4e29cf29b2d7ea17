/// Data items of an SDF record: `> <name>`, a value, and a blank line.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace quarry::cli {

/// The record without the items of these names, ending so that items can be added.
std::string without_items(std::string_view record, std::span<const std::string> names);

/// Adds an item, in one line each for its name and its value.
void append_item(std::string_view name, std::string_view value, std::string& record);

}  // namespace quarry::cli
