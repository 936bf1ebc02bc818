#include "wordsway/audit/model.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/audit/split_words.h"
#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/io/gguf_set.h"
#include "wordsway/io/input_file.h"

namespace wordsway {
namespace {

constexpr const char* kConfig = "config.json";

struct Length {
  Index tokens;
  std::string file;  // that said so
};

Length length_of(const Model& model) {
  const Index positions = model.transformer->config().most_tokens();
  Length length{positions, kConfig};
  if (model.sentence.max_length) {
    length = {*model.sentence.max_length, model.sentence.max_length_file};
  } else if (model.tokenizer->max_length()) {
    length = {*model.tokenizer->max_length(), "tokenizer_config.json"};
  }
  return length.tokens <= positions ? length : Length{positions, kConfig};
}

// One id or a list of them, in the first of the two files that has the key.
std::vector<int> read_end_of_text(const std::filesystem::path& folder) {
  constexpr size_t kMostEnds = 1000;
  for (const char* file : {"generation_config.json", kConfig}) {
    if (!path_exists(folder / file)) continue;
    const JsonView given = JsonView::read(folder / file)["eos_token_id"];
    if (!given.exists()) continue;
    const std::vector<JsonView> values = given.is_array() ? given.elements() : std::vector<JsonView>{given};
    std::vector<int> ids;
    for (const JsonView& value : values) {
      const std::int64_t id = value.integer();
      if (id < 0 || id > ConfigLimits::kVocabulary || ids.size() == kMostEnds)
        given.fail(fmt::format("expected token ids; got {}", given.shown()));
      ids.push_back(static_cast<int>(id));
    }
    return ids;
  }
  return {};
}

// Tokens of the prompt belong to no word; places count from the begin of the text.
void set_prompt_apart(Encoding& encoding, Index characters, Index bytes) {
  std::optional<int> first_word;
  for (size_t k = 0; k < encoding.ids.size(); ++k) {
    if (!encoding.words[k]) continue;
    auto& [begin, end] = encoding.offsets[k];
    auto& [byte_begin, byte_end] = encoding.byte_offsets[k];
    if (end <= characters) {
      encoding.words[k] = std::nullopt;
      begin = end = byte_begin = byte_end = 0;
      continue;
    }
    if (!first_word) first_word = encoding.words[k];
    encoding.words[k] = *encoding.words[k] - *first_word;
    begin = std::max<Index>(begin - characters, 0);
    byte_begin = std::max<Index>(byte_begin - bytes, 0);
    end -= characters;
    byte_end -= bytes;
  }
}

// Puts the model on the device, before it is shared.
std::shared_ptr<const Transformer> on_device(std::unique_ptr<Transformer> transformer, const Device& device) {
  if (!device.is_cpu()) transformer->use_engine(make_cuda_engine(*transformer, device.precision));
  return transformer;
}

Model load_gguf_model(const std::filesystem::path& path, const Device& device) {
  Model model{on_device(Transformer::load(path), device), load_tokenizer(path)};
  model.sentence.max_length = model.transformer->config().most_tokens();
  model.sentence.max_length_file = path.filename().string();
  return model;
}

}  // namespace

Index Model::most_tokens() const {
  return length_of(*this).tokens;
}

Record content_of(const Model& model) {
  Record content = model.transformer->content();
  content.merge(model.tokenizer->content());
  return content;
}

namespace {

// NAME or OWNER/NAME, as models are called on the hub; FILE.gguf is a file.
bool could_be_hub_name(const std::string& name) {
  const auto letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
  };
  return !name.starts_with('.') && !name.starts_with('/') && !name.ends_with('/') && !name.ends_with(".gguf") &&
         std::count(name.begin(), name.end(), '/') <= 1 && std::all_of(name.begin(), name.end(), letter);
}

Model load_folder(const std::filesystem::path& folder, const Device& device) {
  if (!path_is_folder(folder)) throw FileError(fmt::format("{}: there is no such model folder", folder.string()));
  SentenceFolder sentence = read_sentence_folder(folder);
  SentenceSettings settings = sentence.settings;
  const std::filesystem::path inner = sentence.transformer;
  auto transformer = on_device(Transformer::load(folder, std::move(sentence)), device);
  std::vector<int> end_of_text = transformer->is_decoder() ? read_end_of_text(inner) : std::vector<int>();
  return {std::move(transformer), load_tokenizer(inner, settings.lower_case), std::move(settings),
          std::move(end_of_text)};
}

}  // namespace

void check_not_hub_name(const std::string& name, const std::string& then) {
  std::error_code ignored;
  const bool missing = std::filesystem::status(name, ignored).type() == std::filesystem::file_type::not_found;
  if (!missing || !could_be_hub_name(name)) return;
  const std::string folder = name.substr(name.find('/') + 1);
  throw FileError(fmt::format(
      "there is no folder '{0}', and wordsway downloads nothing; if this is a model of the Hugging Face hub, Python "
      "gets its folder: python3 -c \"from huggingface_hub import snapshot_download; snapshot_download('{0}', "
      "local_dir='{1}')\", then {2} {1}",
      name, folder, then));
}

Model load_model(const std::filesystem::path& folder, const Device& device) {
  if (!device.is_cpu()) cuda_device_name();  // throws without a device, before anything is read
  return is_gguf_path(folder) ? load_gguf_model(folder, device) : load_folder(folder, device);
}

Record device_fields(const Transformer& transformer) {
  return transformer.engine() == nullptr ? Record() : fields_of(transformer.engine()->device());
}

std::string describe_sentence_use(const Model& model, const std::string& prompt) {
  const SentenceSettings& sentence = model.sentence;
  const SentenceChain& chain = model.transformer->sentence_chain();
  const Length length = length_of(model);
  std::string result =
      sentence.modules_file.empty()
          ? fmt::format("pooling {}: there is no modules.json that says otherwise", chain.describe())
          : fmt::format("pooling {} ({}, {})", chain.describe(), sentence.modules_file, sentence.pooling_file);
  result += prompt.empty() ? "; no prompt" : fmt::format("; prompt \"{}\"", prompt);
  if (!sentence.prompts_file.empty()) result += fmt::format(" ({})", sentence.prompts_file);
  return result + fmt::format("; at most {} tokens ({})", length.tokens, length.file);
}

std::string prompt_named(const Model& model, const std::optional<std::string>& name) {
  const auto& prompts = model.sentence.prompts;
  const std::string wanted = name.value_or(model.sentence.default_prompt);
  if (wanted.empty()) return "";
  for (const auto& [known, text] : prompts)
    if (known == wanted) return text;
  // sentence-transformers knows these two for every model, as empty ones.
  if (wanted == "query" || wanted == "document") return "";
  std::vector<std::string> names;
  names.reserve(prompts.size());
  for (const auto& [known, text] : prompts) names.push_back(known);
  throw UsageError(fmt::format("{}: there is no prompt '{}'; the model has {}", model.transformer->name(), wanted,
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

std::string choose_prompt(const Model& model, const PromptChoice& choice, bool pooled) {
  if (choice.name && choice.text) throw UsageError("give --prompt-name or --prompt, not both");
  if (choice.text) return *choice.text;
  return choice.name || pooled ? prompt_named(model, choice.name) : "";
}

Index unpooled_tokens(const Model& model, const std::string& prompt) {
  if (prompt.empty() || model.transformer->sentence_chain().include_prompt) return 0;
  const Encoding alone = model.tokenizer->encode(prompt, {.max_tokens = model.most_tokens()});
  const bool ends_special = !alone.words.empty() && !alone.words.back().has_value();
  return alone.size() - (ends_special ? 1 : 0);
}

PromptedOutput prompted_output(const Model& model, const std::string& layer, const std::string& rows,
                               const PromptChoice& choice) {
  PromptedOutput result{parse_layer(layer, *model.transformer, rows), {}};
  const bool pooled = result.output.is_pooled();
  result.prompt = choose_prompt(model, choice, pooled);
  if (pooled) result.output.first_pooled = unpooled_tokens(model, result.prompt);
  return result;
}

ModelOutput last_layer(const Transformer& transformer) {
  return {transformer.config().layers};
}

ModelOutput parse_layer(const std::string& name, const Transformer& transformer, const std::string& rows) {
  const Index last = transformer.config().layers;
  const std::vector<std::string> row_names = names_of_row_readouts();
  if (std::ranges::find(row_names, rows) == row_names.end())
    throw UsageError(fmt::format("rows '{}': expected {}", rows, fmt::join(row_names, " or ")));
  const auto row_readout = readout_named(rows);
  if (name == "last") return {last, row_readout};
  std::string others;  // that this model has
  for (const std::string& known : names_of_layer_readouts()) {
    const auto readout = readout_named(known);
    const std::string why_missing = readout->why_missing(transformer, last);
    if (why_missing.empty()) others += ", " + known;
    if (name != known) continue;
    if (row_readout->is_vector())
      throw UsageError(fmt::format("{} has one row for each text; --rows last is for layers, which have more", name));
    if (!why_missing.empty()) throw UsageError(fmt::format("{} {}", transformer.name(), why_missing));
    return {last, readout};
  }
  Index number = -1;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stop != end || number < 0 || number > last)
    throw UsageError(fmt::format("layer '{}': the model has layers 0 (embedding) to {}, last{}", name, last, others));
  return {number, row_readout};
}

std::string normaliser_label(const NormaliserSpec& normaliser) {
  const std::string name = normaliser_name(normaliser.kind);
  return normaliser_entry(normaliser.kind).has_beta && normaliser.beta != 1
             ? fmt::format("{}, β = {:g}", name, normaliser.beta)
             : name;
}

Record describe_model(const Model& model) {
  const ModelConfig& config = model.transformer->config();
  Record record{{"model", model.transformer->name()},
                {"architecture", config.architecture},
                {"layers", std::int64_t{config.layers}},
                {"d", std::int64_t{config.hidden_size}},
                {"causal", config.causal},
                {"heads", std::int64_t{config.attention.heads}},
                {"key_heads", std::int64_t{config.attention.kv_heads}},
                {"normaliser", normaliser_label(config.normaliser)},
                {"feed_forward", std::int64_t{config.feed_forward_size}},
                {"vocabulary", std::int64_t{config.vocabulary}},
                {"most_tokens", std::int64_t{model.most_tokens()}},
                {"parameters", std::int64_t{model.transformer->parameters()}},
                {"weights", model.transformer->weight_types()},
                {"memory_bytes", static_cast<std::int64_t>(model.transformer->weight_bytes())},
                {"tokenizer", std::string(model.tokenizer->kind())},
                {"predicts_words", model.transformer->predicts_words()},
                {"predicts_next_word", model.transformer->predicts_next_word()}};
  const SentenceSettings& sentence = model.sentence;
  const SentenceChain& chain = model.transformer->sentence_chain();
  const auto file = [](const std::string& name) { return name.empty() ? Value() : Value(name); };
  std::vector<std::string> prompts;
  for (const auto& [name, text] : sentence.prompts) prompts.push_back(fmt::format("{}: \"{}\"", name, text));
  const Length length = length_of(model);
  record.merge({{"pooling", chain.pooling()},
                {"pooling_file", file(sentence.pooling_file)},
                {"pooled_size", std::int64_t{chain.output_size(config.hidden_size)}},
                {"sentence_chain", chain.describe()},
                {"normalised", chain.normalised()},
                {"normalised_file", file(sentence.modules_file)},
                {"prompts", prompts},
                {"default_prompt", file(sentence.default_prompt)},
                {"prompts_file", file(sentence.prompts_file)},
                {"prompt_pooled", chain.include_prompt},
                {"max_length", std::int64_t{length.tokens}},
                {"max_length_file", length.file},
                {"similarity", sentence.similarity}});
  return record;
}

std::vector<Encoding> encode_texts(const Model& model, std::span<const LabelledText> texts,
                                   const EncodeTextsOptions& options) {
  std::vector<std::string> plain;
  plain.reserve(texts.size());
  for (const LabelledText& text : texts) plain.push_back(options.prompt + text.text);
  auto encodings = encode_all(*model.tokenizer, plain,
                              {.special_tokens = options.special_tokens, .max_tokens = model.most_tokens()});
  const Index characters = static_cast<Index>(unicode::decode(options.prompt).size()),
              bytes = static_cast<Index>(options.prompt.size());
  for (size_t t = 0; t < encodings.size(); ++t) {
    if (encodings[t].size() == 0) throw DataError("text " + texts[t].id + " has no token");
    split_words_at_spaces(plain[t], encodings[t]);
    if (!options.prompt.empty()) set_prompt_apart(encodings[t], characters, bytes);
  }
  return encodings;
}

EncodedTexts ids_of(const Model& model, const std::string& name, std::vector<Encoding> encodings) {
  std::vector<std::vector<int>> ids;
  ids.reserve(encodings.size());
  for (Encoding& encoding : encodings) ids.push_back(std::move(encoding.ids));
  return {name, model.tokenizer, std::move(ids)};
}

}  // namespace wordsway
