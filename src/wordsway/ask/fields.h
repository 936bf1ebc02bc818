// The fields of a request, declared once beside its members.
//
//   struct Request {
//     Index top = 5;                                      // the default is the member's initialiser
//     SearchChoice search;                                // fields that many requests share
//
//     static void describe(Fields<Request>& fields) {
//       fields.whole("top", &Request::top, {1, 100}, "How many to show");
//       fields.include(&Request::search);
//       fields.check([](const Request& request) { … });   // across fields; throws UsageError
//     }
//   };
//
// Everything else is derived from the declaration: flags, keywords and keys with their defaults, checks and error
// sentences, help, completions, docs and `list questions`.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "wordsway/ask/field.h"
#include "wordsway/core/error.h"

namespace wordsway {

/// A model as a front end names it: a path, the name of a built-in or served model, or a loaded model.
struct ModelChoice {
  std::string name = {};
  std::shared_ptr<const Model> loaded = {};

  bool empty() const { return name.empty() && loaded == nullptr; }
};

/// An array as a front end names it: a file or the numbers.
struct ArrayChoice {
  std::string path = {};
  std::optional<NpyArray> values = {};

  bool empty() const { return path.empty() && !values; }
};

ModelChoice take_model(const FieldInfo& field, const Given& given);
ArrayChoice take_array(const FieldInfo& field, const Given& given);
inline std::string shown(const ModelChoice& value) {
  return value.name;
}
inline std::string shown(const ArrayChoice& value) {
  return value.path;
}

/// The names of the fields that were given a value.
using GivenNames = std::set<std::string>;

/// A field of a request of any type.
struct AnyField {
  FieldInfo info;
  std::function<void(const FieldInfo&, void* request, const Given&)> set;
  std::function<std::string(const void* request)> show;
};

/// The fields of a request type and the checks across them. Immutable once built; shared by all threads.
struct FieldTable {
  std::vector<AnyField> fields;
  std::vector<std::function<void(void*, const GivenNames&)>> notes;
  std::vector<std::function<void(const void*, const GivenNames&)>> checks;

  /// Returns nullptr if there is no such field.
  const AnyField* find(std::string_view name) const;
  std::vector<const FieldInfo*> infos() const;
};

/// The fields that decide the rows, with their values: the settings that a journal is checked against.
Record settings_of(const FieldTable& fields, const void* request);

template <typename Request>
class Fields {
 public:
  /// The field that was just declared, to set what few fields need.
  class Declared {
   public:
    explicit Declared(FieldInfo& info) : info_(info) {}

    Declared& role(FieldRole role) { return info_.role = role, *this; }
    Declared& by_default(std::string words) { return info_.default_text = std::move(words), *this; }
    Declared& short_flag(std::string letter, bool known_by_letter = false) {
      info_.short_flag = std::move(letter);
      info_.known_by_letter = known_by_letter;
      return *this;
    }
    Declared& argument(std::string name) { return info_.argument = std::move(name), *this; }
    Declared& value_name(std::string name) { return info_.value_name = std::move(name), *this; }
    Declared& in_python(std::string name) { return info_.python_name = std::move(name), *this; }
    Declared& first_in_python() { return info_.first_in_python = true, *this; }
    Declared& on_page(std::string name) { return info_.page_name = std::move(name), *this; }
    Declared& page_takes(FieldRange range) { return info_.page_range = range, *this; }
    Declared& only_for(std::vector<FrontEnd> front_ends) { return info_.front_ends = std::move(front_ends), *this; }
    Declared& not_on_page() { return only_for({FrontEnd::kShell, FrontEnd::kPython}); }
    /// Names to offer. Others are refused at once if `strict`, and otherwise where they are used.
    Declared& choices(std::vector<std::string> names, bool strict = true) {
      info_.choices = std::move(names);
      info_.strict = strict;
      return *this;
    }
    /// The default that the help shows, instead of the member's initial value.
    Declared& shows_default(std::string text) {
      info_.shown_default = std::move(text);
      info_.has_shown_default = true;
      return *this;
    }
    Declared& help(std::string text) { return info_.help = std::move(text), *this; }
    Declared& hidden() { return info_.hidden = true, *this; }

   private:
    FieldInfo& info_;
  };

  explicit Fields(FieldTable& table) : table_(table) {}

  template <typename Member>
  Declared flag(const char* name, Member Request::*member, std::string help) {
    return add({.name = name, .kind = FieldKind::kFlag, .help = std::move(help)}, member, take_flag);
  }
  template <typename Member>
  Declared whole(const char* name, Member Request::*member, FieldRange range, std::string help) {
    return add({.name = name, .kind = FieldKind::kWhole, .help = std::move(help), .range = range}, member, take_whole);
  }
  template <typename Member>
  Declared number(const char* name, Member Request::*member, FieldRange range, std::string help) {
    return add({.name = name, .kind = FieldKind::kNumber, .help = std::move(help), .range = range}, member,
               take_number);
  }
  template <typename Member>
  Declared text(const char* name, Member Request::*member, std::string help) {
    return add({.name = name, .kind = FieldKind::kText, .help = std::move(help)}, member, take_text);
  }
  template <typename Member>
  Declared choice(const char* name, Member Request::*member, std::vector<std::string> choices, std::string help) {
    return add({.name = name, .kind = FieldKind::kChoice, .help = std::move(help), .choices = std::move(choices)},
               member, take_choice);
  }
  /// A name or a whole number. `suggestions` are not binding.
  template <typename Member>
  Declared label(const char* name, Member Request::*member, std::vector<std::string> suggestions, std::string help) {
    return add({.name = name,
                .kind = FieldKind::kLabel,
                .help = std::move(help),
                .choices = std::move(suggestions),
                .strict = false},
               member, take_label);
  }
  template <typename Member>
  Declared bytes(const char* name, Member Request::*member, std::string help) {
    return add({.name = name,
                .kind = FieldKind::kBytes,
                .role = FieldRole::kResource,
                .help = std::move(help),
                .range = {0, 1e300}},
               member, take_bytes);
  }
  template <typename Member>
  Declared wholes(const char* name, Member Request::*member, FieldRange range, std::string help) {
    return add({.name = name, .kind = FieldKind::kWholes, .help = std::move(help), .range = range}, member,
               take_wholes);
  }
  template <typename Member>
  Declared numbers(const char* name, Member Request::*member, FieldRange range, std::string help) {
    return add({.name = name, .kind = FieldKind::kNumbers, .help = std::move(help), .range = range}, member,
               take_numbers);
  }
  template <typename Member>
  Declared names(const char* name, Member Request::*member, std::vector<std::string> choices, std::string help) {
    return add({.name = name, .kind = FieldKind::kNames, .help = std::move(help), .choices = std::move(choices)},
               member, take_names);
  }
  template <typename Member>
  Declared texts(const char* name, Member Request::*member, std::string help) {
    return add({.name = name, .kind = FieldKind::kTexts, .help = std::move(help)}, member, take_texts);
  }
  Declared model(const char* name, ModelChoice Request::*member, std::string help) {
    return add({.name = name, .kind = FieldKind::kModel, .help = std::move(help)}, member, take_model);
  }
  Declared array(const char* name, ArrayChoice Request::*member, std::string help) {
    return add({.name = name, .kind = FieldKind::kArray, .help = std::move(help)}, member, take_array).not_on_page();
  }
  /// A file to read or write: kInput, kOutput, kJournal or kArrays.
  template <typename Member>
  Declared path(const char* name, Member Request::*member, FieldKind kind, std::string help) {
    const FieldRole role = kind == FieldKind::kInput ? FieldRole::kDecides : FieldRole::kDisplay;
    return add({.name = name, .kind = kind, .role = role, .help = std::move(help)}, member, take_text).not_on_page();
  }
  /// A field that is not simply a member.
  Declared custom(FieldInfo info, std::function<void(const FieldInfo&, Request&, const Given&)> set,
                  std::function<std::string(const Request&)> show) {
    table_.fields.push_back(
        {std::move(info),
         [set = std::move(set)](const FieldInfo& field, void* request, const Given& given) {
           set(field, *static_cast<Request*>(request), given);
         },
         [show = std::move(show)](const void* request) { return show(*static_cast<const Request*>(request)); }});
    return Declared(table_.fields.back().info);
  }

  /// Makes the fields of a group fields of this request. `arguments` go to the group's describe.
  template <typename Group, typename... Arguments>
  void include(Group Request::*member, Arguments&&... arguments) {
    FieldTable part;
    Fields<Group> fields(part);
    Group::describe(fields, std::forward<Arguments>(arguments)...);
    include_table(member, std::move(part));
  }
  /// Includes a group whose type has no describe of its own.
  template <typename Group>
  void include_described(Group Request::*member, void (*describe)(Fields<Group>&)) {
    FieldTable part;
    Fields<Group> fields(part);
    describe(fields);
    include_table(member, std::move(part));
  }

  /// Adds a check across fields, which throws UsageError. It sees the whole request before any file is read.
  void check(std::function<void(const Request&)> check) {
    table_.checks.emplace_back([check = std::move(check)](const void* request, const GivenNames&) {
      check(*static_cast<const Request*>(request));
    });
  }
  /// Adds a check that also sees which fields were given.
  void check(std::function<void(const Request&, const GivenNames&)> check) {
    table_.checks.emplace_back([check = std::move(check)](const void* request, const GivenNames& given) {
      check(*static_cast<const Request*>(request), given);
    });
  }

  /// Tells the request which of its fields were given, before the checks run.
  void note_given(std::function<void(Request&, const GivenNames&)> note) {
    table_.notes.emplace_back([note = std::move(note)](void* request, const GivenNames& given) {
      note(*static_cast<Request*>(request), given);
    });
  }

  /// A field that was declared earlier.
  Declared field(std::string_view name) {
    for (AnyField& field : table_.fields)
      if (field.info.name == name) return Declared(field.info);
    throw InternalError("there is no field " + std::string(name));
  }

 private:
  template <typename Group>
  void include_table(Group Request::*member, FieldTable part) {
    for (AnyField& field : part.fields) {
      field.set = [member, set = std::move(field.set)](const FieldInfo& info, void* request, const Given& given) {
        set(info, &(static_cast<Request*>(request)->*member), given);
      };
      field.show = [member, show = std::move(field.show)](const void* request) {
        return show(&(static_cast<const Request*>(request)->*member));
      };
      table_.fields.push_back(std::move(field));
    }
    for (auto& note : part.notes)
      table_.notes.emplace_back([member, note = std::move(note)](void* request, const GivenNames& given) {
        note(&(static_cast<Request*>(request)->*member), given);
      });
    for (auto& check : part.checks)
      table_.checks.emplace_back([member, check = std::move(check)](const void* request, const GivenNames& given) {
        check(&(static_cast<const Request*>(request)->*member), given);
      });
  }

  template <typename Member, typename Take>
  Declared add(FieldInfo info, Member Request::*member, Take take) {
    table_.fields.push_back(
        {std::move(info),
         [member, take](const FieldInfo& field, void* request, const Given& given) {
           assign(static_cast<Request*>(request)->*member, take(field, given));
         },
         [member](const void* request) { return shown_member(static_cast<const Request*>(request)->*member); }});
    return Declared(table_.fields.back().info);
  }

  template <typename Member, typename Taken>
  static void assign(Member& member, Taken&& taken) {
    if constexpr (std::is_arithmetic_v<std::decay_t<Taken>> && std::is_arithmetic_v<Member>) {
      member = static_cast<Member>(taken);
    } else if constexpr (std::is_arithmetic_v<std::decay_t<Taken>>) {
      member = static_cast<typename Member::value_type>(taken);
    } else {
      member = std::forward<Taken>(taken);
    }
  }

  // A flag that is not set has no default to show.
  template <typename Member>
  static std::string shown_member(const Member& value) {
    if constexpr (std::is_same_v<Member, bool>) {
      return value ? "true" : "";
    } else if constexpr (std::integral<Member>) {
      return shown(static_cast<std::int64_t>(value));
    } else {
      return shown(value);
    }
  }

  FieldTable& table_;
};

template <typename Request>
Record settings_of(const Request& request) {
  FieldTable table;
  Fields<Request> fields(table);
  Request::describe(fields);
  return settings_of(table, &request);
}

}  // namespace wordsway
