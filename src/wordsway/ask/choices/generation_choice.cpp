#include "wordsway/ask/choices/generation_choice.h"

#include "wordsway/ask/choices/search_choice.h"

namespace wordsway {
namespace {

constexpr Index kMostNewTokensOnPage = 4096;

void describe_options(Fields<GenerateOptions>& options) {
  options.whole("max_new_tokens", &GenerateOptions::max_new_tokens, {0, 10'000'000}, "Most tokens the model writes")
      .page_takes({0, kMostNewTokensOnPage});
  options.number("temperature", &GenerateOptions::temperature, {0, 1e6},
                 "0 takes the likeliest token each time; above, tokens are drawn, the more freely the higher");
  options.number("top_p", &GenerateOptions::top_p, {0, 1},
                 "Draw among the likeliest tokens that together have this probability, above 0 and at most 1");
  options.whole("seed", &GenerateOptions::seed, {0, 9223372036854775807.0}, "For drawn tokens");
  options.texts("stop", &GenerateOptions::stop,
                "End the text before this one appears; may be given several times (without it: no text ends it)");
  options.custom(
      {.name = "template",
       .kind = FieldKind::kChoice,
       .help = "Put the prompt into one turn of a chat: none, chatml, llama2, llama3 or mistral; `wordsway "
               "list templates` shows them",
       .default_text = "none",
       .choices = chat_template_names()},
      [](const FieldInfo& field, GenerateOptions& request, const Given& given) {
        request.chat_template = parse_chat_template(take_choice(field, given));
      },
      [](const GenerateOptions&) { return std::string(); });
  options.check([](const GenerateOptions& request) { request.check(); });
}

}  // namespace

void GenerationChoice::describe(Fields<GenerationChoice>& fields) {
  fields.include_described(&GenerationChoice::options, describe_options);
}

}  // namespace wordsway
