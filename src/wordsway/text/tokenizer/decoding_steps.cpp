#include "wordsway/text/tokenizer/decoding_steps.h"

#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/byte_tokens.h"
#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/pre_tokenizers.h"

namespace wordsway {

void DecodingStep::finish(std::vector<TokenPart>&) {}

namespace {

using Parts = std::vector<TokenPart>;

const std::string kReplacementText = "\uFFFD";

/// A step that needs tokens whole.
class TokenStep : public DecodingStep {
 public:
  void take(TokenPart part, Parts& out) final {
    token_ += part.text;
    if (part.ends_token) take_token(std::exchange(token_, {}), out);
  }

 private:
  virtual void take_token(std::string token, Parts& out) = 0;

  std::string token_;
};

std::string replaced(std::string_view text, std::string_view pattern, std::string_view content) {
  std::string result;
  for (std::size_t at = 0;;) {
    const std::size_t found = text.find(pattern, at);
    result += text.substr(at, found - at);
    if (found == std::string_view::npos) return result;
    result += content;
    at = found + pattern.size();
  }
}

/// Whether the bytes may be the beginning of a character that is not whole.
bool may_go_on(const std::string& bytes) {
  const auto is_longer_with = [&](char next) {
    return static_cast<std::size_t>(unicode::decode_first(bytes + next).length) > bytes.size();
  };
  return is_longer_with('\x80') || is_longer_with('\xBF');  // one of the two can follow any first part of a character
}

class JoinBytes final : public TokenStep {
 public:
  void finish(Parts& out) override { out.push_back({take_characters(false), true}); }

 private:
  void take_token(std::string token, Parts& out) override {
    bytes_ += byte_level::bytes_of(token);
    out.push_back({take_characters(true), false});
  }

  std::string take_characters(bool more_may_come) {
    std::string text;
    std::string_view rest = bytes_;
    while (!rest.empty()) {
      const unicode::Decoded next = unicode::decode_first(rest);
      const bool is_last = static_cast<std::size_t>(next.length) == rest.size();
      if (more_may_come && is_last && next.code == unicode::kReplacement && may_go_on(std::string(rest))) break;
      unicode::append_utf8(text, next.code);
      rest.remove_prefix(static_cast<std::size_t>(next.length));
    }
    bytes_ = std::string(rest);
    return text;
  }

  std::string bytes_;  // the beginning of a character
};

class JoinFallbackBytes final : public TokenStep {
 public:
  void finish(Parts& out) override { end_run(out); }

 private:
  void take_token(std::string token, Parts& out) override {
    if (const auto byte = fallback_byte(token)) {
      run_.push_back(*byte);
      return;
    }
    end_run(out);
    out.push_back({std::move(token)});
  }

  void end_run(Parts& out) {
    const std::string run = std::exchange(run_, {});
    if (run.empty()) return;
    if (unicode::is_valid_utf8(run)) {
      out.push_back({run});
    } else {
      out.insert(out.end(), run.size(), {kReplacementText});
    }
  }

  std::string run_;
};

class FuseTokens final : public DecodingStep {
 public:
  void take(TokenPart part, Parts& out) override { out.push_back({std::move(part.text), false}); }
  void finish(Parts& out) override { out.push_back({"", true}); }
};

class ReplaceInTokens final : public TokenStep {
 public:
  ReplaceInTokens(std::string pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

 private:
  void take_token(std::string token, Parts& out) override { out.push_back({replaced(token, pattern_, content_)}); }

  std::string pattern_, content_;
};

class StripTokens final : public DecodingStep {
 public:
  StripTokens(char32_t character, std::size_t start, std::size_t stop)
      : character_(character), start_(start), stop_(stop) {}

  void take(TokenPart part, Parts& out) override {
    std::string kept;
    for (const char32_t code : unicode::decode(part.text)) take_character(code, kept);
    out.push_back({std::move(kept), part.ends_token});
    if (!part.ends_token) return;
    is_at_start_ = true;
    gone_ = held_ = 0;
  }

 private:
  void take_character(char32_t code, std::string& kept) {
    is_at_start_ = is_at_start_ && code == character_ && gone_ < start_;
    if (is_at_start_) {
      ++gone_;
    } else if (code == character_ && held_ < stop_) {
      ++held_;
    } else if (code == character_) {
      unicode::append_utf8(kept, code);  // the first of those held; this one is held in its place
    } else {
      for (; held_ > 0; --held_) unicode::append_utf8(kept, character_);
      unicode::append_utf8(kept, code);
    }
  }

  char32_t character_;
  std::size_t start_, stop_;
  bool is_at_start_ = true;
  std::size_t gone_ = 0;  // at the start of this token
  std::size_t held_ = 0;  // that may turn out to be at its end
};

class MarksToSpaces final : public TokenStep {
 public:
  MarksToSpaces(char32_t mark, bool drop_first) : drop_(drop_first) { unicode::append_utf8(mark_, mark); }

 private:
  void take_token(std::string token, Parts& out) override {
    out.push_back({replaced(token, mark_, std::exchange(drop_, false) ? "" : " ")});
  }

  std::string mark_;
  bool drop_;
};

std::string cleaned_up(std::string token) {
  constexpr std::pair<const char*, const char*> kRules[] = {
      {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
      {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& rule : kRules) token = replaced(token, rule.first, rule.second);
  return token;
}

class JoinWordPieces final : public TokenStep {
 public:
  JoinWordPieces(std::string prefix, bool cleanup) : prefix_(std::move(prefix)), cleanup_(cleanup) {}

 private:
  void take_token(std::string token, Parts& out) override {
    if (!std::exchange(is_first_, false))
      token = token.starts_with(prefix_) ? token.substr(prefix_.size()) : " " + token;
    out.push_back({cleanup_ ? cleaned_up(std::move(token)) : std::move(token)});
  }

  std::string prefix_;
  bool cleanup_;
  bool is_first_ = true;
};

class SpacesBetweenTokens final : public TokenStep {
  void take_token(std::string token, Parts& out) override {
    out.push_back({std::exchange(is_first_, false) ? std::move(token) : " " + token});
  }

  bool is_first_ = true;
};

}  // namespace

DecodingRule join_bytes() {
  return [] { return std::make_unique<JoinBytes>(); };
}
DecodingRule join_fallback_bytes() {
  return [] { return std::make_unique<JoinFallbackBytes>(); };
}
DecodingRule fuse_tokens() {
  return [] { return std::make_unique<FuseTokens>(); };
}
DecodingRule replace_in_tokens(std::string pattern, std::string content) {
  return [pattern, content] { return std::make_unique<ReplaceInTokens>(pattern, content); };
}
DecodingRule strip_tokens(char32_t character, std::size_t start, std::size_t stop) {
  return [=] { return std::make_unique<StripTokens>(character, start, stop); };
}
DecodingRule marks_to_spaces(char32_t mark, bool drop_first) {
  return [=] { return std::make_unique<MarksToSpaces>(mark, drop_first); };
}
DecodingRule join_word_pieces(std::string prefix, bool cleanup) {
  return [prefix, cleanup] { return std::make_unique<JoinWordPieces>(prefix, cleanup); };
}
DecodingRule spaces_between_tokens() {
  return [] { return std::make_unique<SpacesBetweenTokens>(); };
}

DecodingChain::DecodingChain(const std::vector<DecodingRule>& rules) {
  steps_.reserve(rules.size());
  for (const DecodingRule& rule : rules) steps_.push_back(rule());
}

namespace {

Parts go_through(DecodingStep& step, Parts parts) {
  Parts out;
  for (TokenPart& part : parts) step.take(std::move(part), out);
  return out;
}

std::string joined(const Parts& parts) {
  std::string text;
  for (const TokenPart& part : parts) text += part.text;
  return text;
}

}  // namespace

std::string DecodingChain::add(std::string_view token) {
  Parts parts{{std::string(token), true}};
  for (const auto& step : steps_) parts = go_through(*step, std::move(parts));
  return joined(parts);
}

std::string DecodingChain::finish() {
  Parts parts;
  for (const auto& step : steps_) {
    parts = go_through(*step, std::move(parts));
    step->finish(parts);
  }
  return joined(parts);
}

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
