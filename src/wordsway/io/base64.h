// Base64, as JSON files hold bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wordsway {

/// The bytes of a text in the standard alphabet with its padding; nothing when it is anything else. Pure.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace wordsway
