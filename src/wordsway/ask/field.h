// A field of a request: what a front end must know to take a value for it, to show it, and to say what is wrong with it.
//
// Sentences about fields name them in braces: "{replacements} must lie between 1 and 100000". Each front end spells them
// its own way: --replacements in a shell, replacements in Python and on the page.
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
  kArrays,   // FILE.npy, or a folder of such files, to write; not on the page
};

enum class FieldRole {
  kDecides,   // the answer depends on it: part of a journal's settings
  kResource,  // where and with how much it is computed
  kDisplay,   // what is shown or written
};

struct FieldRange {
  double least = -1e308, most = 1e308;
};

/// Which front ends have a field.
enum class FrontEnd { kShell, kPython, kPage };

struct FieldInfo {
  std::string name = {};          // snake_case
  FieldKind kind = FieldKind::kText;
  FieldRole role = FieldRole::kDecides;
  std::string help = {};          // one line, without the default
  std::string default_text = {};   // in words, for the end of the help
  std::string shown_default = {};  // instead of the value that the request has unasked
  bool has_shown_default = false;
  FieldRange range = {};
  std::vector<std::string> choices = {};
  bool strict = true;             // whether other names than `choices` are refused at once
  bool names_file = false;        // whether another name than `choices` is a file's; the page reads none
  bool hidden = false;            // taken, but not shown in the help
  std::string short_flag = {};    // "m" for -m
  bool known_by_letter = false;   // whether sentences say -m rather than --model
  std::string argument = {};      // "TEXT": in a shell this is no flag but what stands without one
  std::string value_name = {};    // what the help calls the value, such as M; empty: by kind
  std::string python_name = {};   // where Python calls it otherwise
  bool first_in_python = false;   // may come without its name, before all others
  std::string page_name = {};     // where the page calls it otherwise
  std::optional<FieldRange> page_range = {};  // the page takes no more than this
  std::vector<FrontEnd> front_ends = {FrontEnd::kShell, FrontEnd::kPython, FrontEnd::kPage};

  bool is_for(FrontEnd front_end) const;
  /// How a front end calls it. In Python a flag such as no_special is `special`, true unless said otherwise.
  std::string name_in(FrontEnd front_end) const;
  bool is_negated_in_python() const { return kind == FieldKind::kFlag && name.starts_with("no_"); }
  bool is_list() const;
  /// As people see a range: "1 and 100000".
  std::string range_text() const;
};

/// What was written in a shell, once or several times.
struct Written {
  std::vector<std::string> texts;

  bool operator==(const Written&) const = default;
};

/// A value as a front end got it: a shell has text, Python and JSON have types.
using Given = std::variant<Written, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>, NpyArray, std::shared_ptr<const Model>>;

/// What a value of each kind becomes. All throw UsageError, with the field's name in braces, when it is of another kind
/// or out of range.
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

/// The value of a field as a user would write it; nothing where there is none.
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
  if constexpr (std::is_same_v<T, int>) return shown(static_cast<std::int64_t>(*value));
  else return shown(*value);
}

/// The sentence with every name in braces that is one of `fields` spelled by `spell`.
std::string spelled(std::string_view sentence, const std::vector<const FieldInfo*>& fields,
                    const std::function<std::string(const FieldInfo&)>& spell);

}  // namespace wordsway
