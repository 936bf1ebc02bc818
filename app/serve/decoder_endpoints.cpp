// What a decoder writes: answers to two prompts, or the text after one.
#include <fmt/format.h>

#include "serve/endpoints.h"
#include "wordsway/audit/answers.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {
namespace {

constexpr Index kMostNewTokens = 4096;

struct DecoderRequest {
  std::string model;
  GenerateOptions options;
};

DecoderRequest read_decoder_request(const ServedModels& models, RequestArguments& ask) {
  DecoderRequest request;
  request.model = read_model_name(models, ask, kBuiltinDecoder);
  GenerateOptions& options = request.options;
  options.max_new_tokens = ask.whole("max_new_tokens", 0, kMostNewTokens).value_or(options.max_new_tokens);
  options.temperature = ask.number("temperature").value_or(options.temperature);
  options.top_p = ask.number("top_p").value_or(options.top_p);
  options.seed = ask.seed();
  options.stop = ask.texts("stop", 16);
  options.chat_template = parse_chat_template(ask.text_or("template", "none"));
  options.check();
  return request;
}

// The text that has become certain after a token, or nothing.
void tell_token(Job& job, const char* side, std::string_view text) {
  if (!text.empty()) job.tell("token", to_json(Record{{"side", side}, {"text", std::string(text)}}));
}

void tell_cut(Job& job, const Model& model, const Generation& found) {
  if (found.prompt_cut)
    tell_remark(job, fmt::format("a prompt was cut to the {} tokens that {} has positions for", found.prompt_ids.size(),
                                 model.transformer->name()));
}

Prepared answers(const ServedModels& models, RequestArguments& ask) {
  const DecoderRequest request = read_decoder_request(models, ask);
  auto prompts = builtin_prompts();
  const auto a = ask.text("a"), b = ask.text("b");
  ask.finish();
  if (a.has_value() != b.has_value()) throw UsageError("a and b belong together: give both prompts");
  if (a) prompts = {*a, *b};
  return {"two answers", [&models, request, prompts](Job& job) {
            const auto model = open_model(models, request.model, job);
            const Answers found = compare_answers(*model, prompts.first, prompts.second, request.options,
                                                  [&](char side, std::string_view more) {
                                                    tell_token(job, side == 'a' ? "a" : "b", more);
                                                    return true;
                                                  });
            for (const Generation* one : {&found.a, &found.b}) tell_cut(job, *model, *one);
            const Record tokens{{"tokens_a", token_texts(*model->tokenizer, found.a.ids)},
                                {"tokens_b", token_texts(*model->tokenizer, found.b.ids)}};
            const std::string json = to_json(found);  // and what the page draws beside the divergence
            return json.substr(0, json.size() - 1) + ", " + to_json(tokens).substr(1);
          }};
}

Prepared write_on(const ServedModels& models, RequestArguments& ask) {
  DecoderRequest request = read_decoder_request(models, ask);
  const std::string prompt = ask.text("prompt").value_or(builtin_prompts().first);
  ask.finish();
  return {"a text", [&models, request, prompt](Job& job) {
            const auto model = open_model(models, request.model, job);
            GenerateOptions options = request.options;
            options.on_text = [&](std::string_view more) {
              tell_token(job, "a", more);
              return true;
            };
            const Generation found = generate(*model, prompt, options);
            tell_cut(job, *model, found);
            Record row{{"prompt", prompt}};
            row.merge(row_of(found));
            return to_json(row);
          }};
}

}  // namespace

std::vector<Endpoint> decoder_endpoints(const ServedModels& models) {
  return {{"answers", [&models](RequestArguments& ask) { return answers(models, ask); }},
          {"generate", [&models](RequestArguments& ask) { return write_on(models, ask); }}};
}

}  // namespace wordsway::serve
