// The commands of the program. Each is one file that adds its options and what to do to the command line.
#pragma once

#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace wordsway::app {

void add_commands(CLI::App& app);

/// A verdict or a check that failed: everything was done and written, and the program ends with 1.
class CheckFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether every process of a group has work in this command; in other commands only the first process works.
bool is_shared(const std::string& command);

void add_generalize_command(CLI::App& app);
void add_answers_command(CLI::App& app);
void add_attention_command(CLI::App& app);
void add_embed_command(CLI::App& app);
void add_fill_command(CLI::App& app);
void add_generate_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_layers_command(CLI::App& app);
void add_list_command(CLI::App& app);
void add_measure_command(CLI::App& app);
void add_pairs_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);
void add_serve_command(CLI::App& app);
void add_substitute_command(CLI::App& app);
void add_tokenize_command(CLI::App& app);
void add_words_command(CLI::App& app);

}  // namespace wordsway::app
