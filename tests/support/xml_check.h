// Is a text XML that a strict reader takes? For pictures that hold texts from anywhere.
#pragma once

#include <string>
#include <string_view>

namespace wordsway::test {

/// Empty for a document that is well-formed as far as texts can break it: valid UTF-8 without forbidden characters,
/// tags that are closed in order, attributes in quotes, known entities, no "]]>" in content. Otherwise what is wrong.
std::string what_is_wrong_with_xml(std::string_view document);

}  // namespace wordsway::test
