// Lists the questions and their fields for programs.
#pragma once

#include <string>

namespace wordsway {

/// {"rows": [{"name", "summary", "fields": [{"name", "type", "default", "choices", "help"}], "row_keys": […]}]}, one
/// entry for each question, in the order of lists.
std::string list_questions();

}  // namespace wordsway
