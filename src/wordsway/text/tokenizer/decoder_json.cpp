// read_decoder of text/tokenizer/tokenizer_json.h.
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/tokenizer_json.h"

namespace wordsway {
namespace {

DecodingRule refuse_when_used(const JsonView& json, std::string_view what) {
  return [message = fmt::format("{}: {}", json.where(), what)]() -> std::unique_ptr<DecodingStep> {
    throw DataError(message);
  };
}

std::size_t read_count(const JsonView& value) {
  if (value.integer() < 0) value.fail("expected a number of characters");
  return static_cast<std::size_t>(value.integer());
}

DecodingRule read_strip(const JsonView& json) {
  const std::u32string content = unicode::decode(json["content"].string());
  if (content.size() != 1) json["content"].fail(fmt::format("expected one character, got {}", content.size()));
  return strip_tokens(content[0], read_count(json["start"]), read_count(json["stop"]));
}

class DecoderReader {
 public:
  std::vector<DecodingRule> read(const JsonView& json) {
    read_into(json);
    return std::move(rules_);
  }

 private:
  void read_into(const JsonView& json) {
    const std::string type = json["type"].string();
    if (type == "Sequence") {
      for (const JsonView& part : json["decoders"].elements()) read_into(part);
    } else {
      rules_.push_back(read_one(json, type));
    }
  }

  DecodingRule read_one(const JsonView& json, const std::string& type) {
    if (type == "ByteLevel") return join_bytes();
    if (type == "ByteFallback") return join_fallback_bytes();
    if (type == "Fuse") return fuse_tokens();
    if (type == "Replace") return read_replace(json);
    if (type == "Strip") return read_strip(json);
    if (type == "WordPiece") return join_word_pieces(json["prefix"].string(), json["cleanup"].boolean());
    if (type == "Metaspace") {
      const Metaspace metaspace = read_metaspace(json);
      return marks_to_spaces(metaspace.mark, metaspace.prepend != Metaspace::Prepend::kNever);
    }
    return refuse_when_used(
        json, fmt::format("the type {} is not supported; expected ByteLevel, Replace, ByteFallback, Fuse, Strip, "
                          "Metaspace, WordPiece or a Sequence of them",
                          json["type"].shown()));
  }

  DecodingRule read_replace(const JsonView& json) {
    const JsonView pattern = json["pattern"];
    if (const JsonView regex = pattern["Regex"]; regex.exists())
      return refuse_when_used(regex, fmt::format("the regular expression {} is not supported", regex.shown()));
    const std::string string = pattern["String"].string();
    const std::string content = json["content"].string();
    if (string.empty()) pattern["String"].fail("expected at least one character");
    growth_ *= std::max<std::size_t>(1, (content.size() + string.size() - 1) / string.size());
    if (growth_ > kMostGrowth)
      json["content"].fail(fmt::format("decoders may make a token at most {} times as long", kMostGrowth));
    return replace_in_tokens(string, content);
  }

  std::vector<DecodingRule> rules_;
  std::size_t growth_ = 1;
};

}  // namespace

std::vector<DecodingRule> read_decoder(const JsonView& json) {
  return json.exists() ? DecoderReader().read(json) : std::vector<DecodingRule>{spaces_between_tokens()};
}

}  // namespace wordsway
