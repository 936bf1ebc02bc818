#include "options/generation.h"

#include <CLI/CLI.hpp>

#include "options/numbers.h"

namespace wordsway::app {

void add_generation_options(CLI::App& command, GenerateOptions& options) {
  command.add_option("--max-new-tokens", options.max_new_tokens, "Most tokens the model writes")
      ->check(CLI::Range(0, 10'000'000))
      ->capture_default_str();
  command
      .add_option("--temperature", options.temperature,
                  "0 takes the likeliest token each time; above, tokens are drawn, the more freely the higher")
      ->check(number_between(0, 1e6, "the temperature"))
      ->capture_default_str();
  command
      .add_option("--top-p", options.top_p,
                  "Draw among the likeliest tokens that together have this probability, above 0 and at most 1")
      ->check(number_between(0, 1, "top-p"))
      ->capture_default_str();
  add_seed_option(command, options.seed, "For drawn tokens");
  command
      .add_option("--stop", options.stop,
                  "End the text before this one appears; may be given several times (without it: no text ends it)")
      ->delimiter('\0')
      ->allow_extra_args(false);
  command
      .add_option_function<std::string>(
          "--template", [&options](const std::string& name) { options.chat_template = parse_chat_template(name); },
          "Put the prompt into one turn of a chat: none, chatml, llama2, llama3 or mistral; `wordsway list templates` "
          "shows them (default: none)")
      ->check(one_of("template", chat_template_names()));
}

}  // namespace wordsway::app
