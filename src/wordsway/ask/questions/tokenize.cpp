// tokenize: texts as a model reads them.
#include <algorithm>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/io/row_text.h"
#include "wordsway/text/tokenizer/encoding_json.h"

namespace wordsway {
namespace {

constexpr size_t kTextsAtOnce = 2000;  // in one batch

struct TokenizeRequest {
  TextInput texts;
  ModelInput model;
  bool no_special = false;

  static void describe(Fields<TokenizeRequest>& fields) {
    fields.include(&TokenizeRequest::texts, TextInput::Parts{.selection = false});
    fields.include(&TokenizeRequest::model, ModelInput::Usual{.has_device = false});
    fields.flag("no_special", &TokenizeRequest::no_special, "Leave out [CLS], [SEP] and other special tokens");
  }
};

std::vector<Record> rows_of(size_t text, const Encoding& encoding) {
  std::vector<Record> rows;
  rows.reserve(encoding.ids.size());
  for (size_t k = 0; k < encoding.ids.size(); ++k)
    rows.push_back({{"text", static_cast<std::int64_t>(text)},
                    {"token", static_cast<std::int64_t>(k)},
                    {"id", std::int64_t{encoding.ids[k]}},
                    {"piece", encoding.pieces[k]},
                    {"word", encoding.words[k] ? Value(std::int64_t{*encoding.words[k]}) : Value()},
                    {"begin", std::int64_t{encoding.offsets[k][0]}},
                    {"end", std::int64_t{encoding.offsets[k][1]}}});
  return rows;
}

// Written straight from the encoding: there may be millions of rows, and records would take ten times as long.
std::string csv_of(size_t text, const Encoding& encoding) {
  std::string result = "text,token,id,piece,word,begin,end\n";
  for (size_t k = 0; k < encoding.ids.size(); ++k) {
    result += std::to_string(text) + "," + std::to_string(k) + "," + std::to_string(encoding.ids[k]) + ",";
    result += csv_quoted(encoding.pieces[k]) + ",";
    if (encoding.words[k]) result += std::to_string(*encoding.words[k]);
    result += "," + std::to_string(encoding.offsets[k][0]) + "," + std::to_string(encoding.offsets[k][1]) + "\n";
  }
  return result;
}

Answer answer(const TokenizeRequest& request, Context& context) {
  const auto tokenizer = context.tokenizer(request.model.model);
  std::vector<std::string> texts;
  for (LabelledText& text : read_texts(request.texts)) texts.push_back(std::move(text.text));
  context.begin_parts({.count = texts.size(), .as_objects = true, .one_table = true});
  EncodingWarnings warnings;
  for (size_t begin = 0; begin < texts.size(); begin += kTextsAtOnce) {
    const std::span<const std::string> some(texts.data() + begin, std::min(kTextsAtOnce, texts.size() - begin));
    std::vector<Encoding> encodings = encode_all(*tokenizer, some, {.special_tokens = !request.no_special});
    warnings.add(encodings);
    for (size_t k = 0; k < encodings.size(); ++k) {
      const size_t text = begin + k;
      const auto encoding = std::make_shared<const Encoding>(std::move(encodings[k]));
      Part part;
      part.rows = [text, encoding] { return rows_of(text, *encoding); };
      part.csv = [text, encoding] { return csv_of(text, *encoding); };
      part.object = [encoding] {
        std::string json;
        append_json(json, *encoding);
        return json;
      };
      context.add_part(text, std::move(part));
    }
  }
  context.finish_parts();
  warnings.tell(context, 0);
  return parts_answer();
}

Guide guide() {
  Guide guide;
  guide.order = 120;
  guide.quick = true;
  guide.summary = "Texts as the model reads them: ids, pieces, words, offsets";
  guide.examples =
      "  wordsway tokenize -m MODEL \"I love her smile\"\n"
      "  wordsway tokenize -m MODEL -i reviews.jsonl.xz --format jsonl > tokens.jsonl";
  guide.row_keys = {"ids", "pieces", "words", "offsets"};
  return guide;
}

}  // namespace

void register_tokenize(QuestionRegistry& registry) {
  add_question(registry, "tokenize", guide(), answer);
}

}  // namespace wordsway
