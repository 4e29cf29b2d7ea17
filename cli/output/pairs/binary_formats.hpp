/// Files of pairs that are not text: `.qhits`, and `.npz`, a matrix of molecules by queries.
#pragma once
#include <memory>
#include <string>

#include "output/hits.hpp"

namespace quarry::cli {

/// Does the name end as that of such a file?
bool is_binary_format(const std::string& path);

/// The format for .qhits or .npz. @throws InputError  the name of a .npz file ends in that of a compressed one
std::unique_ptr<HitFormat> make_binary_format(const std::string& path, const HitFormatOptions& options);

}  // namespace quarry::cli
