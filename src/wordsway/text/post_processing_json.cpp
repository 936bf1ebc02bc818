#include "wordsway/text/post_processing_json.h"

#include <fmt/format.h>

namespace wordsway {
namespace {

int checked_id(const JsonView& value, const Vocabulary& vocabulary) {
  const std::int64_t id = value.integer();
  if (id < 0 || id >= vocabulary.size() || !vocabulary.has_id(static_cast<int>(id))) {
    value.fail(fmt::format("no token has the id {}", id));
  }
  return static_cast<int>(id);
}

/// ["[SEP]", 102], as BertProcessing and RobertaProcessing write a token.
int token_pair(const JsonView& value, const Vocabulary& vocabulary) {
  const std::vector<JsonView> parts = value.elements();
  if (parts.size() != 2) value.fail("expected a token and its id");
  return checked_id(parts[1], vocabulary);
}

void read_template(const JsonView& json, const Vocabulary& vocabulary, PostProcessing& post) {
  bool seen_text = false;
  for (const JsonView& item : json["single"].elements()) {
    if (item["Sequence"].exists()) {
      if (seen_text) item.fail("the text stands twice in the template");
      seen_text = true;
      continue;
    }
    const std::string name = item["SpecialToken"]["id"].string();
    for (const JsonView& id : json["special_tokens"][name]["ids"].elements()) {
      (seen_text ? post.after : post.before).push_back(checked_id(id, vocabulary));
    }
  }
  if (!seen_text) json["single"].fail("the text is not in the template");
}

void read_one(const JsonView& json, const Vocabulary& vocabulary, PostProcessing& post) {
  const std::string type = json["type"].string();
  if (type == "TemplateProcessing") {
    read_template(json, vocabulary, post);
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    post.before.push_back(token_pair(json["cls"], vocabulary));
    post.after.push_back(token_pair(json["sep"], vocabulary));
  } else if (type != "ByteLevel") {
    json.fail(
        fmt::format("the type '{}' is not supported; expected TemplateProcessing, BertProcessing, "
                    "RobertaProcessing, ByteLevel or a Sequence of them",
                    type));
  }
  if (type == "RobertaProcessing" || type == "ByteLevel") {
    post.trim_offsets = json["trim_offsets"].boolean_or(true);
    post.keep_prefix_space = json["add_prefix_space"].boolean_or(true);
  }
}

}  // namespace

PostProcessing read_post_processing(const JsonView& json, const Vocabulary& vocabulary) {
  PostProcessing post;
  if (!json.exists()) return post;
  if (json["type"].string() != "Sequence") {
    read_one(json, vocabulary, post);
    return post;
  }
  for (const JsonView& processor : json["processors"].elements()) read_one(processor, vocabulary, post);
  return post;
}

}  // namespace wordsway
