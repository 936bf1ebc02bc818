// Texts that a decoder writes: against Transformers, and what must hold of any of them.
#include "wordsway/audit/generate.h"

#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/bytes.h"
#include "support/golden.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "wordsway/audit/answers.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/utf8.h"
#include "wordsway/model/architecture_registry.h"

namespace wordsway::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int kNever = 9'000'000;  // an id that no model has

std::filesystem::path golden_folder() {
  return source_folder() / "tests/golden";
}

const Json& golden() {
  static const Json expected = Json::parse(std::ifstream(golden_folder() / "generation/expected.json"));
  return expected;
}

std::shared_ptr<const Tokenizer> golden_tokenizer(const std::string& name) {
  return load_tokenizer(golden_folder() / "tokenizers" / name);
}

std::string utf8_of(std::u32string_view characters) {
  std::string text;
  for (const char32_t code : characters) unicode::append_utf8(text, code);
  return text;
}

class Generating : public testing::Test {
 protected:
  Model model = load_model(golden_folder() / "generation/llama");
  const std::string prompt = "the actors play as if";
  const Generation greedy = generate(model, prompt, {.max_new_tokens = 32});

  std::string sampled(std::uint64_t seed, double temperature = 1, double top_p = 1) const {
    return generate(model, prompt, {.temperature = temperature, .top_p = top_p, .seed = seed}).text;
  }
};

TEST_F(Generating, WritesGreedilyWhatTransformersWrites) {
  for (const Json& expected : golden().at("prompts")) {
    const Generation found = generate(model, expected.at("prompt"), {.max_new_tokens = 32});
    EXPECT_EQ(found.prompt_ids, expected.at("prompt_ids").get<std::vector<int>>());
    EXPECT_EQ(found.ids, expected.at("ids").get<std::vector<int>>()) << expected.at("prompt");
    EXPECT_EQ(found.text, expected.at("text")) << expected.at("prompt");
    EXPECT_FALSE(found.finished);
    EXPECT_GT(found.tokens_per_second, 0);
    EXPECT_GT(found.seconds, 0);
  }
}

TEST(BuiltinDecoder, AnswersWhatTransformersAnswers) {
  const Model builtin = load_model(source_folder() / "models/builtin-decoder");
  const Json all = Json::parse(std::ifstream(golden_folder() / "builtin/decoder.json"));
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[0].at("prompt"), builtin_prompts().first);
  EXPECT_EQ(all[1].at("prompt"), builtin_prompts().second);
  for (const Json& expected : all) {
    const Generation found = generate(builtin, expected.at("prompt"));
    EXPECT_EQ(found.prompt_ids, expected.at("prompt_ids").get<std::vector<int>>());
    EXPECT_EQ(found.ids, expected.at("ids").get<std::vector<int>>()) << expected.at("prompt");
    EXPECT_EQ(found.text, expected.at("text")) << expected.at("prompt");
    EXPECT_TRUE(found.finished);
  }
}

TEST_F(Generating, ARowHasTheKeysOfTheCommand) {
  const Record row = row_of(greedy);
  std::vector<std::string> keys;
  for (const auto& [name, value] : row.fields()) keys.push_back(name);
  EXPECT_THAT(keys, ElementsAre("prompt_ids", "ids", "text", "finished", "seconds", "tokens_per_second"));
  EXPECT_TRUE(row_of(generate(model, prompt, {.max_new_tokens = 1})).missing("tokens_per_second"));
}

TEST_F(Generating, EndsAtATokenThatEndsTexts) {
  EXPECT_THAT(model.end_of_text, ElementsAre(1404, 1407)) << "generation_config.json says so";
  const int end = greedy.ids[7];
  model.end_of_text = {kNever, end};
  const Generation found = generate(model, prompt, {.max_new_tokens = 32});
  EXPECT_TRUE(found.finished);
  EXPECT_EQ(found.ids.back(), end);
  const auto first = std::ranges::find(greedy.ids, end);
  EXPECT_EQ(found.ids, std::vector<int>(greedy.ids.begin(), first + 1));
  EXPECT_EQ(found.text, model.tokenizer->decode(std::span(found.ids).first(found.ids.size() - 1)));
}

// The first of generation_config.json and config.json that has the key; else the tokenizer.
TEST_F(Generating, TheEndOfTextIsReadFromTheFolder) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path("model");
  std::filesystem::copy(golden_folder() / "generation/llama", folder);
  Json config = Json::parse(std::ifstream(folder / "config.json"));
  const auto ends_with = [&](const char* generation, const Json& of_config) {
    write_bytes(folder / "generation_config.json", generation);
    config["eos_token_id"] = of_config;
    write_bytes(folder / "config.json", config.dump());
    return load_model(folder).end_of_text;
  };
  EXPECT_THAT(ends_with(R"({"eos_token_id": 7})", 9), ElementsAre(7));
  EXPECT_THAT(ends_with(R"({"eos_token_id": [7, 8]})", 9), ElementsAre(7, 8));
  EXPECT_THAT(ends_with(R"({"eos_token_id": null})", 9), ElementsAre(9));
  EXPECT_THAT(ends_with("{}", Json::array({9, 10})), ElementsAre(9, 10));
  EXPECT_THAT(ends_with("{}", nullptr), ElementsAre());
  for (const char* wrong : {"[]", "{", R"({"eos_token_id": "x"})", R"({"eos_token_id": [-1]})",
                            R"({"eos_token_id": 1e18})", R"({"eos_token_id": [[1]]})"})
    EXPECT_THAT([&] { ends_with(wrong, 9); }, ThrowsMessage<DataError>(HasSubstr("generation_config.json"))) << wrong;

  model.end_of_text.clear();
  const int end = *model.tokenizer->special_ids().end_of_text;
  EXPECT_EQ(end, 1407);
}

TEST_F(Generating, AStopTextEndsTheTextBeforeItWhereverItsTokensBegin) {
  const std::u32string whole = unicode::decode(greedy.text);
  const auto part = [&](size_t begin, size_t length) { return utf8_of(whole.substr(begin, length)); };
  for (size_t begin = 0; begin + 12 < whole.size(); begin += 5)
    for (const size_t length : {1, 2, 5, 11}) {
      const std::string stop = part(begin, length);
      std::string streamed;
      const Generation found = generate(
          model, prompt, {.max_new_tokens = 32, .stop = {"never said", stop}, .on_text = [&](std::string_view more) {
                            streamed += more;
                            return true;
                          }});
      EXPECT_EQ(found.text, greedy.text.substr(0, greedy.text.find(stop))) << stop;
      EXPECT_EQ(streamed, found.text);
      EXPECT_TRUE(found.finished);
      EXPECT_LE(found.ids.size(), greedy.ids.size());
    }
  // Text that could have been its beginning appears in the end.
  const Generation unfinished =
      generate(model, prompt, {.max_new_tokens = 32, .stop = {part(whole.size() - 3, 3) + "!"}});
  EXPECT_EQ(unfinished.text, greedy.text);
  EXPECT_FALSE(unfinished.finished);
}

TEST_F(Generating, TextComesInWholeCharacters) {
  for (const Json& expected : golden().at("prompts")) {
    std::string streamed;
    size_t calls = 0;
    const auto take = [&](std::string_view more) {
      EXPECT_EQ(utf8_of(unicode::decode(more)), more);
      streamed += more;
      ++calls;
      return true;
    };
    const Generation found = generate(model, expected.at("prompt"), {.max_new_tokens = 32, .on_text = take});
    EXPECT_EQ(streamed, found.text);
    EXPECT_GE(calls, found.ids.size()) << "called after every token, so that it can stop";
  }
}

TEST_F(Generating, TheCallerCanStop) {
  int calls = 0;
  const Generation found = generate(model, prompt, {.on_text = [&](std::string_view) { return ++calls < 5; }});
  EXPECT_EQ(found.ids, std::vector<int>(greedy.ids.begin(), greedy.ids.begin() + 5));
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.finished);
}

TEST_F(Generating, DrawsAreThoseOfTheSeedForAnyNumberOfThreads) {
  const std::string text = sampled(3);
  EXPECT_EQ(sampled(3), text);
  EXPECT_NE(sampled(4), text);
  EXPECT_NE(text, greedy.text);
  const int before = available_threads();
  set_thread_count(4);
  EXPECT_EQ(sampled(3), text);
  set_thread_count(1);
  EXPECT_EQ(sampled(3), text);
  set_thread_count(before);
}

TEST_F(Generating, ColdAndNarrowDrawsAreGreedy) {
  const std::string text = generate(model, prompt).text;
  EXPECT_EQ(sampled(3, 1e-6), text);
  EXPECT_EQ(sampled(3, 1e-300), text);
  EXPECT_EQ(sampled(3, 1, 1e-9), text);
}

// The first token of 4000 seeds: within the likeliest tokens that reach top-p, and as often as their probabilities say.
TEST_F(Generating, DrawsFollowTheProbabilities) {
  const ReadPrompt read = read_prompt(model, prompt, ChatTemplate::kNone);
  const MatrixF logits = model.transformer->logits(read.last);
  const double temperature = 0.7;
  std::vector<std::pair<double, int>> order;
  for (Index id = 0; id < logits.cols(); ++id)
    order.emplace_back(std::exp((logits(0, id) - logits.maxCoeff()) / temperature), static_cast<int>(id));
  std::ranges::sort(order, std::greater());
  double total = 0, reached = 0;
  for (const auto& [weight, id] : order) total += weight;
  for (const double top_p : {0.5, 1.}) {
    std::map<int, double> expected;
    reached = 0;
    for (const auto& [weight, id] : order) {
      if (reached >= top_p * total) break;
      expected[id] = weight;
      reached += weight;
    }
    std::map<int, int> counts;
    const int draws = 4000;
    for (int seed = 0; seed < draws; ++seed)
      ++counts[continue_prompt(model, read,
                               {.max_new_tokens = 1,
                                .temperature = temperature,
                                .top_p = top_p,
                                .seed = static_cast<std::uint64_t>(seed)})
                   .ids.front()];
    for (const auto& [id, count] : counts) {
      ASSERT_TRUE(expected.contains(id)) << id << " is not among the likeliest";
      const double p = expected[id] / reached, deviation = std::sqrt(draws * p * (1 - p));
      EXPECT_NEAR(count, draws * p, 5 * deviation + 3) << id;
    }
    EXPECT_GT(counts.size(), 5U);
  }
}

TEST_F(Generating, EndsWhereThePositionsEnd) {
  model.end_of_text = {kNever};
  const Generation found = generate(model, prompt, {.max_new_tokens = 1000});
  EXPECT_EQ(found.prompt_ids.size() + found.ids.size(), 256U + 1) << "the last token needs no position";
  EXPECT_FALSE(found.finished);
  std::string longer;
  for (int k = 0; k < 300; ++k) longer += "film ";
  const Generation cut = generate(model, longer);
  EXPECT_TRUE(cut.prompt_cut);
  EXPECT_EQ(cut.prompt_ids.size(), 256U);
  EXPECT_EQ(cut.ids.size(), 1U);
}

TEST_F(Generating, NoTokensAreAskedForOrNone) {
  const Generation found = generate(model, prompt, {.max_new_tokens = 0});
  EXPECT_EQ(found.text, "");
  EXPECT_TRUE(found.ids.empty());
  EXPECT_FALSE(found.prompt_ids.empty());
}

// Llama 2's tokenizer writes no space before the first token of a text; within one it does.
TEST_F(Generating, TextGoesOnFromThePromptWithItsSpace) {
  model.tokenizer = golden_tokenizer("llama2");
  model.end_of_text = {kNever};
  int with_space = 0;
  for (const char* text : {"the film was", "one of", "no", "a story and", "Tokyo is \u6771\u4eac"}) {
    const Generation found = generate(model, text);
    std::vector<int> all = found.prompt_ids;
    all.insert(all.end(), found.ids.begin(), found.ids.end());
    EXPECT_EQ(model.tokenizer->decode(found.prompt_ids) + found.text, model.tokenizer->decode(all));
    with_space += found.text.starts_with(' ') ? 1 : 0;
  }
  EXPECT_GT(with_space, 0);
}

TEST_F(Generating, EncodersWriteNoText) {
  const Model encoder = load_model(source_folder() / "models/builtin");
  EXPECT_THAT([&] { generate(encoder, "the film"); },
              ThrowsMessage<DataError>(AllOf(HasSubstr("builtin is an encoder"), HasSubstr("does not write text"))));
}

TEST_F(Generating, OptionsOutOfRangeAreRefused) {
  const auto refused = [&](const GenerateOptions& options) {
    EXPECT_THROW(generate(model, prompt, options), UsageError);
  };
  refused({.max_new_tokens = -1});
  refused({.temperature = -0.1});
  refused({.temperature = std::nan("")});
  refused({.temperature = HUGE_VAL});
  refused({.top_p = 0});
  refused({.top_p = 1.01});
  refused({.stop = {""}});
}

// With the tokenizers of the small models; Mistral's later one is Llama 2's with [INST] and [/INST] as tokens.
TEST(ChatTemplates, GiveTheIdsOfTransformers) {
  const TemporaryFolder temporary;
  std::filesystem::copy(golden_folder() / "tokenizers/llama2", temporary.path("mistral"));
  Json with_tokens = Json::parse(std::ifstream(golden_folder() / "tokenizers/llama2/tokenizer.json"));
  Json added = with_tokens["added_tokens"][0];
  const int first = static_cast<int>(with_tokens["model"]["vocab"].size());
  for (const auto& [id, content] : {std::pair(first, "[INST]"), std::pair(first + 1, "[/INST]")}) {
    added["id"] = id;
    added["content"] = content;
    with_tokens["added_tokens"].push_back(added);
  }
  write_bytes(temporary.path("mistral") / "tokenizer.json", with_tokens.dump());
  Model model = load_model(golden_folder() / "generation/llama");
  for (const Json& expected : golden().at("templates")) {
    std::string name = expected.at("template");
    if (name == "mistral with tokens") {
      name = "mistral";
      model.tokenizer = load_tokenizer(temporary.path("mistral"));
    } else {
      model.tokenizer = golden_tokenizer(expected.at("tokenizer"));
    }
    EXPECT_EQ(encode_prompt(model, expected.at("user"), parse_chat_template(name)).ids,
              expected.at("ids").get<std::vector<int>>())
        << expected;
  }
}

TEST(ChatTemplates, OfArchitecturesAreKnown) {
  for (const std::string& type : architecture_registry().names())
    for (const std::string& name : architecture_registry().get(type).chat_templates)
      EXPECT_NO_THROW(parse_chat_template(name)) << type;
}

TEST(ChatTemplates, NeedTheirTokens) {
  Model model = load_model(golden_folder() / "generation/llama");
  EXPECT_THAT([&] { generate(model, "hi", {.chat_template = ChatTemplate::kChatml}); },
              ThrowsMessage<DataError>(AllOf(HasSubstr("template chatml"), HasSubstr("<|im_start|>"))));
  EXPECT_THAT([&] { generate(model, "hi", {.chat_template = ChatTemplate::kMistral}); },
              ThrowsMessage<DataError>(AllOf(HasSubstr("template mistral"), HasSubstr("<s>"))));
  EXPECT_THROW(parse_chat_template("alpaca"), UsageError);
  EXPECT_EQ(chat_text(ChatTemplate::kLlama3, " hi ", *model.tokenizer),
            "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|><|start_header_id|>assistant"
            "<|end_header_id|>\n\n");
}

// A byte-level tokenizer with the tokens of Mistral's, as Tekken is one.
TEST(ChatTemplates, OfMistralPutASpaceWhereSentencePieceDoes) {
  const TemporaryFolder temporary;
  for (const auto& [folder, text] :
       {std::pair("llama3", "<s>[INST]hi[/INST]"), std::pair("llama2", "<s>[INST] hi[/INST]")}) {
    std::filesystem::copy(golden_folder() / "tokenizers" / folder, temporary.path(folder));
    Json tokens = Json::parse(std::ifstream(temporary.path(folder) / "tokenizer.json"));
    int id = 0;
    for (const Json& known : tokens["added_tokens"]) id = std::max(id, known["id"].get<int>());
    id = std::max(id, static_cast<int>(tokens["model"]["vocab"].size()) - 1);
    for (const char* content : {"<s>", "[INST]", "[/INST]"}) {
      if (std::string(content) == "<s>" && std::string(folder) == "llama2") continue;
      Json added = tokens["added_tokens"][0];
      added["id"] = ++id;
      added["content"] = content;
      tokens["added_tokens"].push_back(added);
    }
    write_bytes(temporary.path(folder) / "tokenizer.json", tokens.dump());
    EXPECT_EQ(chat_text(ChatTemplate::kMistral, "hi", *load_tokenizer(temporary.path(folder))), text);
  }
}

TEST(ChatTemplates, EndAnAnswerAtTheEndOfItsTurn) {
  Model model = load_model(golden_folder() / "generation/llama");
  EXPECT_EQ(end_of_answer(ChatTemplate::kLlama3, *model.tokenizer), model.tokenizer->id_of("<|eot_id|>"));
  EXPECT_EQ(end_of_answer(ChatTemplate::kNone, *model.tokenizer), std::nullopt);
  EXPECT_EQ(end_of_answer(ChatTemplate::kChatml, *golden_tokenizer("qwen2")),
            golden_tokenizer("qwen2")->id_of("<|im_end|>"));
}

TEST(ChatTemplates, ATooLongTextIsCutWithinItsTurn) {
  const Model model = load_model(golden_folder() / "generation/llama");
  const auto frame = encode_prompt(model, "", ChatTemplate::kLlama3).ids;
  std::string longer = "first";
  for (int k = 0; k < 300; ++k) longer += " film";
  const EncodedPrompt found = encode_prompt(model, longer, ChatTemplate::kLlama3);
  EXPECT_TRUE(found.cut);
  ASSERT_EQ(found.ids.size(), 256U);
  EXPECT_TRUE(std::equal(frame.end() - 8, frame.end(), found.ids.end() - 8)) << "the end of the template is there";
  EXPECT_TRUE(std::equal(frame.begin(), frame.begin() + 6, found.ids.begin()));
  EXPECT_FALSE(encode_prompt(model, "first film", ChatTemplate::kLlama3).cut);
}

TEST(ChatTemplates, APromptOfNoTokensIsRefusedUnlessTheTokenizerAddsOne) {
  Model model = load_model(golden_folder() / "generation/llama");
  EXPECT_THAT(encode_prompt(model, "", ChatTemplate::kNone).ids, ElementsAre(1403));
  model.tokenizer = golden_tokenizer("qwen2");
  EXPECT_THAT([&] { encode_prompt(model, "", ChatTemplate::kNone); }, ThrowsMessage<DataError>(HasSubstr("no token")));
}

}  // namespace
}  // namespace wordsway::test
