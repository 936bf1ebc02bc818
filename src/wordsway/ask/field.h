// A field of a request: all that a front end needs to take a value, show it, and explain why it refuses it.
//
// Sentences about fields name them in braces: "{replacements} must lie between 1 and 100000". Each front end spells
// them its own way: --replacements in a shell, replacements in Python and on the page.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/io/npy.h"

namespace wordsway {

struct Model;

enum class FieldKind {
  kFlag,     // true or false
  kWhole,    // a whole number within `range`
  kNumber,   // a finite number within `range`
  kText,     // any text
  kChoice,   // one of `choices`
  kLabel,    // a name or a whole number, kept as text: a layer, a token
  kBytes,    // a size such as 8G, or a number of bytes
  kWholes,   // lists, "10,20" in a shell; a single value is a list of one
  kNumbers,  //
  kNames,    // of `choices`, where there are any and `strict` is set
  kTexts,    // texts, which are never split
  kModel,    // a path in a shell, a path or a loaded model in Python, a served name on the page
  kArray,    // an .npy file in a shell, an array in Python; not on the page
  kInput,    // a file to read; not on the page
  kOutput,   // a file to write; not on the page
  kJournal,  // a file that is written in place and read again; not on the page
  kArrays,   // FILE.npy or a folder of such files to write; not on the page
};

enum class FieldRole {
  kDecides,   // the answer depends on it: part of a journal's settings
  kResource,  // where and with what resources to compute
  kDisplay,   // what is shown or written
};

struct FieldRange {
  double least = -1e308, most = 1e308;
};

enum class FrontEnd { kShell, kPython, kPage };

struct FieldInfo {
  std::string name = {};  // snake_case
  FieldKind kind = FieldKind::kText;
  FieldRole role = FieldRole::kDecides;
  std::string help = {};           // one line, without the default
  std::string default_text = {};   // in words, for the end of the help
  std::string shown_default = {};  // shown instead of the member's initial value
  bool has_shown_default = false;
  FieldRange range = {};
  std::vector<std::string> choices = {};
  bool strict = true;                         // whether names other than `choices` are refused at once
  bool names_file = false;                    // whether any other name is a file; the page reads none
  bool hidden = false;                        // accepted, but not shown in the help
  std::string short_flag = {};                // "m" for -m
  bool known_by_letter = false;               // whether sentences say -m rather than --model
  std::string argument = {};                  // "TEXT": in a shell this is a positional argument
  std::string value_name = {};                // what the help calls the value, such as M; empty: by kind
  std::string python_name = {};               // if Python uses another name
  bool first_in_python = false;               // may be positional, before all others
  std::string page_name = {};                 // if the page uses another name
  std::optional<FieldRange> page_range = {};  // the page accepts no more than this
  std::vector<FrontEnd> front_ends = {FrontEnd::kShell, FrontEnd::kPython, FrontEnd::kPage};

  bool is_for(FrontEnd front_end) const;
  /// The name in a front end. In Python a flag such as no_special is `special`, which is true by default.
  std::string name_in(FrontEnd front_end) const;
  bool is_negated_in_python() const { return kind == FieldKind::kFlag && name.starts_with("no_"); }
  bool is_list() const;
  /// The range as people read it: "1 and 100000".
  std::string range_text() const;
};

/// The texts of a flag that was given in a shell, once or several times.
struct Written {
  std::vector<std::string> texts;

  bool operator==(const Written&) const = default;
};

/// A value as a front end received it: a shell has text; Python and JSON have types.
using Given = std::variant<Written, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, NpyArray, std::shared_ptr<const Model>>;

/// Convert a value to each kind. All throw UsageError, with the field's name in braces, if the value has another kind
/// or is out of range.
bool take_flag(const FieldInfo& field, const Given& given);
std::int64_t take_whole(const FieldInfo& field, const Given& given);
double take_number(const FieldInfo& field, const Given& given);
std::string take_text(const FieldInfo& field, const Given& given);
std::string take_choice(const FieldInfo& field, const Given& given);
std::string take_label(const FieldInfo& field, const Given& given);
double take_bytes(const FieldInfo& field, const Given& given);
std::vector<std::int64_t> take_wholes(const FieldInfo& field, const Given& given);
std::vector<double> take_numbers(const FieldInfo& field, const Given& given);
std::vector<std::string> take_names(const FieldInfo& field, const Given& given);
std::vector<std::string> take_texts(const FieldInfo& field, const Given& given);

/// The value of a field as a user would write it; empty if there is none.
std::string shown(bool value);
std::string shown(std::int64_t value);
std::string shown(double value);
std::string shown(const std::string& value);
template <typename T>
std::string shown(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ",") + shown(value);
  return text;
}
template <typename T>
std::string shown(const std::optional<T>& value) {
  if (!value) return {};
  if constexpr (std::is_same_v<T, int>)
    return shown(static_cast<std::int64_t>(*value));
  else
    return shown(*value);
}

/// Replaces every name of a field that stands in braces by spell(field).
std::string spelled(std::string_view sentence, const std::vector<const FieldInfo*>& fields,
                    const std::function<std::string(const FieldInfo&)>& spell);

}  // namespace wordsway
