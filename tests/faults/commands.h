// What the fault tests run: every command of the program once, on inputs as small as they can be. Charts come in
// every format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/bytes.h"
#include "support/places.h"
#include "wordsway/io/npy.h"

namespace wordsway::test {

/// A command line to be run in an empty folder beside `inputs`. Its files and results depend on nothing but time.
struct FaultCommand {
  std::string name;
  std::vector<std::string> arguments;
};

inline void PrintTo(const FaultCommand& command, std::ostream* out) {
  *out << command.name;
}

inline std::string small_decoder() {
  return (source_folder() / "tests/golden/generation/llama").string();
}

inline const std::vector<FaultCommand>& fault_commands() {
  static const std::vector<FaultCommand> commands = {
      {"measure",
       {"measure", "--map", "rf,raf", "--n", "4,6,8", "--d", "6", "--trials", "1", "--data", "sphere", "--out",
        "run.jsonl", "--format", "jsonl"}},
      {"measure_array",
       {"measure", "--x", "../inputs/x.npy", "--weights-out", "w.npy", "--delta-out", "delta.npy", "--format",
        "jsonl"}},
      {"measure_model",
       {"measure", "-m", "builtin", "good film", "--layer", "1", "--token", "1", "--steps", "3", "--starts", "1",
        "--out", "run.jsonl", "--format", "jsonl"}},
      {"generalize", {"generalize", "--n",     "4",         "--d",    "6",          "--train-size", "8,12,16",
                      "--trials",   "1",       "--data",    "sphere", "--training", "retrain",      "--objective",
                      "align",      "--chart", "chart.svg", "--out",  "run.jsonl",  "--format",     "jsonl"}},
      {"reproduce", {"reproduce", "raf", "--profile", "quick", "-o", "out"}},
      {"report", {"report", "../inputs/run.jsonl", "-o", "out"}},
      {"words", {"words", "good film", "--fast", "--radius", "0.1", "--chart", "chart.svg", "--format", "json"}},
      {"substitute",
       {"substitute", "good film", "--word", "film", "--layer", "1", "--evaluations", "70", "--out", "run.jsonl",
        "--format", "jsonl"}},
      {"pairs",
       {"pairs", "../inputs/pairs.csv", "--threshold", "-1", "--unit", "cosine", "--max-false-merges", "1", "--html",
        "pairs.html", "--junit", "pairs.xml", "--json", "pairs.json", "--chart", "lost.svg"}},
      {"generate", {"generate", "-m", small_decoder(), "good", "film", "--max-new-tokens", "2", "--format", "json"}},
      {"answers",
       {"answers", "-m", small_decoder(), "good film", "bad film", "--max-new-tokens", "2", "--chart", "chart.svg"}},
      {"layers", {"layers", "good film", "--direction", "attract", "--chart", "chart.pdf"}},
      {"attention", {"attention", "good film", "--chart", "chart.png", "--format", "json"}},
      {"attention_arrays",
       {"attention", "-i", "../inputs/texts.csv", "--layer", "all", "--head", "all", "--out", "arrays", "--format",
        "jsonl"}},
      {"embed",
       {"embed", "-i", "../inputs/texts.csv", "--label-column", "y", "--pool", "mean", "--out", "e.npy", "--labels-out",
        "y.npy"}},
      {"tokenize", {"tokenize", "-i", "../inputs/texts.csv", "--format", "jsonl"}},
      {"info", {"info", "builtin"}},
      {"list", {"list", "figures", "--format", "csv"}}};
  return commands;
}

/// All inputs but run.jsonl, the journal that `measure` above leaves.
inline void write_fault_inputs(const std::filesystem::path& folder) {
  std::filesystem::create_directory(folder);
  write_bytes(folder / "texts.csv", "text,y\na good film,1\n\"bad, and long\",-1\n");
  write_bytes(folder / "pairs.csv", "anchor,changed,control\na good film,a bad film,a fine picture\n");
  std::vector<double> X;
  for (int k = 0; k < 4 * 5; ++k) X.push_back(1 + k % 7);
  write_npy(folder / "x.npy", X, {4, 5});
}

}  // namespace wordsway::test
