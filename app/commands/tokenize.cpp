// wordsway tokenize: texts as the model reads them.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/common.h"
#include "options/model.h"
#include "options/texts.h"
#include "output/token_rows.h"
#include "system/streams.h"
#include "wordsway/text/tokenizer/encoding_json.h"

namespace wordsway::app {
namespace {

constexpr size_t kChunk = 2000;  // texts encoded, then written, at a time

struct TokenizeOptions {
  CommonOptions common;
  TextOptions texts;
  std::string model;
  bool no_special = false;
};

// One text is its object; several are a list (json) or a line each (jsonl).
class JsonWriter {
 public:
  JsonWriter(bool list, size_t texts) : list_(list && texts != 1) {
    if (list_) out_ = "[";
  }
  void write(const std::vector<Encoding>& encodings) {
    for (const Encoding& encoding : encodings) {
      if (list_) out_ += written_ == 0 ? "\n" : ",\n";
      append_json(out_, encoding);
      if (!list_) out_ += "\n";
      ++written_;
    }
    print_out(out_);
    out_.clear();
  }
  void finish() const {
    if (list_) print_out(written_ == 0 ? "[]\n" : "\n]\n");
  }

 private:
  bool list_;
  size_t written_ = 0;
  std::string out_;
};

size_t count_tokens(const std::vector<Encoding>& encodings) {
  size_t count = 0;
  for (const Encoding& encoding : encodings) count += encoding.ids.size();
  return count;
}

void tokenize(const TokenizeOptions& options) {
  const auto tokenizer = load_tokenizer(model_folder(options.model));
  std::vector<std::string> texts;
  for (LabelledText& text : read_texts(options.texts)) texts.push_back(std::move(text.text));
  const EncodeOptions encode{.special_tokens = !options.no_special};
  const std::string& format = options.common.format;
  if (format == "table" || format == "csv") {
    const std::vector<Encoding> encodings = encode_all(*tokenizer, texts, encode);
    tell_wordless_texts(encodings, options.common);
    if (format == "table" && count_tokens(encodings) == 0) return;  // nothing is no table
    print_out(format == "csv" ? tokens_as_csv(encodings) : tokens_as_table(encodings));
    return;
  }
  WordlessTexts wordless;
  JsonWriter writer(format == "json", texts.size());
  for (size_t begin = 0; begin < texts.size(); begin += kChunk) {
    const std::span<const std::string> chunk(texts.data() + begin, std::min(kChunk, texts.size() - begin));
    const std::vector<Encoding> encodings = encode_all(*tokenizer, chunk, encode);
    wordless.add(encodings);
    writer.write(encodings);
  }
  writer.finish();
  wordless.tell(options.common);
}

}  // namespace

void add_tokenize_command(CLI::App& app) {
  auto options = std::make_shared<TokenizeOptions>();
  CLI::App* command = app.add_subcommand("tokenize", "Texts as the model reads them: ids, pieces, words, offsets");
  add_text_options(*command, options->texts);
  add_model_option(*command, options->model);
  command->add_flag("--no-special", options->no_special, "Leave out [CLS], [SEP] and other special tokens");
  add_common_options(*command, options->common);
  add_examples(*command,
               "  wordsway tokenize -m MODEL \"I love her smile\"\n"
               "  wordsway tokenize -m MODEL -i reviews.jsonl.xz --format jsonl > tokens.jsonl");
  command->callback([options] { tokenize(*options); });
}

}  // namespace wordsway::app
