// The commands that work on a model, as a user runs them, on the built-in model and on small golden ones.
#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"

namespace wordsway {
namespace {

using nlohmann::json;
using test::run_wordsway;
using testing::HasSubstr;
using testing::StartsWith;

json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json", "--quiet"});
  const auto run = run_wordsway(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return json::parse(run.out);
}

TEST(Info, DescribesTheBuiltInModel) {
  const json info = run_json({"info"});
  EXPECT_EQ(info["architecture"], "bert");
  EXPECT_EQ(info["layers"], 4);
  EXPECT_EQ(info["d"], 256);
  EXPECT_EQ(info["predicts_words"], true);
}

std::string golden_gguf(const std::string& name) {
  return (test::source_folder() / "tests/golden/gguf/models" / name).string();
}

TEST(GgufFiles, AreModelsForEveryCommandThatTakesDecoders) {
  const std::string file = golden_gguf("llama2.gguf"), text = "the cat sat, and the mat.";
  const json info = run_json({"info", file});
  EXPECT_EQ(info["model"], "llama2");
  EXPECT_EQ(info["architecture"], "llama");
  EXPECT_EQ(info["tokenizer"], "SentencePiece BPE");
  EXPECT_EQ(info["max_length_file"], "llama2.gguf");
  EXPECT_EQ(run_json({"tokenize", "the cat sat, 12!", "-m", file})["ids"],
            (json{1, 10, 11, 6, 12, 31, 6, 39, 12, 41, 42, 3}));
  for (const std::string command : {"words", "layers", "attention", "generate"}) {
    const auto run = run_wordsway({command, text, "-m", file, "--quiet"});
    EXPECT_EQ(run.exit_code, 0) << command << ": " << run.err;
  }
  const test::TemporaryFolder folder;
  const auto embed =
      run_wordsway({"embed", text, "-m", file, "--pool", "model", "--out", folder.path("e.npy").string()});
  EXPECT_EQ(embed.exit_code, 0) << embed.err;
  EXPECT_THAT(embed.err, HasSubstr("at most 64 tokens (llama2.gguf)"));
}

TEST(GgufFiles, ThatAreWrongAreRefusedByExitCode) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("model.gguf").string();
  const auto missing = run_wordsway({"info", path});
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_THAT(missing.err, HasSubstr(path));
  std::string bytes = test::read_bytes(golden_gguf("llama2.gguf"));
  bytes.replace(bytes.find("llama.block_count"), 17, "llama.block_counx");
  test::write_bytes(path, bytes);
  const auto wrong = run_wordsway({"words", "a cat", "-m", path});
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err, HasSubstr(path + ": 'llama.block_count' is missing"));
}

TEST(Tokenize, GivesIdsPiecesWordsAndOffsets) {
  const json one = run_json({"tokenize", "I loved it, [really]"});
  const size_t tokens = one["ids"].size();
  for (const char* key : {"pieces", "words", "offsets"}) EXPECT_EQ(one[key].size(), tokens) << key;
  EXPECT_EQ(one["pieces"][0], "[CLS]");
  EXPECT_TRUE(one["words"][0].is_null());
  EXPECT_EQ(one["offsets"][1], (json{0, 1}));
  EXPECT_EQ(run_json({"tokenize", "I loved it, [really]", "--no-special"})["ids"].size(), tokens - 2);
}

TEST(Tokenize, TakesEveryArgumentAsOneText) {
  const json several = run_json({"tokenize", "one, two, [three]", "", "four"});
  ASSERT_EQ(several.size(), 3u);
  EXPECT_EQ(several[1]["ids"].size(), 2u) << "an empty text is valid";
}

TEST(Tokenize, WritesATokenARowAsTableAndCsv) {
  const auto csv = run_wordsway({"tokenize", "it, really", "café", "--format", "csv"});
  EXPECT_THAT(csv.out, StartsWith("text,token,id,piece,word,begin,end\n0,0,2,[CLS],,0,0\n"));
  EXPECT_THAT(csv.out, HasSubstr(",\",\",1,2,3\n")) << "a comma is quoted";
  EXPECT_THAT(csv.out, HasSubstr("\n1,0,2,[CLS],,0,0\n")) << "the second text";
  const auto table = run_wordsway({"tokenize", "a film", "--format", "table"});
  EXPECT_THAT(table.out, StartsWith("text  token"));
  EXPECT_THAT(table.out, HasSubstr("[CLS]     -      0    0\n"));
}

TEST(Tokenize, SaysWhenItsOutputIsNotWritten) {
  const test::TemporaryFolder folder;
  const std::string texts = folder.path("texts.txt").string();
  for (const int lines : {1, 20'000}) {  // within the buffer of the output, and far beyond it
    std::ofstream file(texts);
    for (int k = 0; k < lines; ++k) file << "a film\n";
    file.close();
    for (const char* format : {"table", "csv", "json", "jsonl"}) {
      const std::string command =
          fmt::format("{} tokenize -i {} --format {} >/dev/full", test::program_path().string(), texts, format);
      const auto run = test::RunningProgram({"sh", "-c", command}).finish();
      EXPECT_EQ(run.exit_code, 4) << format << ", " << lines << " lines";
      EXPECT_THAT(run.err, HasSubstr("standard output could not be written"));
    }
  }
}

TEST(Embed, WritesShapesOfTheContract) {
  const test::TemporaryFolder folder;
  const std::string out = folder.path("e.npy");
  run_json({"embed", "--layer", "2", "--out", out, "a fine film"});
  EXPECT_EQ(read_npy(out).shape, (std::vector<Index>{5, 256}));
  run_json({"embed", "--layer", "0", "--n", "4", "--out", out, "a fine film", "not a very good film"});
  EXPECT_EQ(read_npy(out).shape, (std::vector<Index>{2, 4, 256}));
  run_json({"embed", "--pool", "mean", "--out", out, "a fine film", "not a very good film"});
  EXPECT_EQ(read_npy(out).shape, (std::vector<Index>{2, 256}));
  EXPECT_EQ(run_wordsway({"embed", "--out", out, "a", "b c"}).exit_code, 2) << "several texts need --n or --pool";
  EXPECT_EQ(run_wordsway({"embed", "--n", "9", "--out", out, "short"}).exit_code, 3) << "shorter texts need --pad";
}

TEST(Embed, SelectsShortTextsWithBalancedLabels) {
  const test::TemporaryFolder folder;
  const std::string corpus = folder.path("c.jsonl"), out = folder.path("e.npy"), labels = folder.path("y.npy");
  std::string lines;
  for (int t = 0; t < 30; ++t)
    lines +=
        json{{"text", t % 5 == 0 ? "a very, very, very, very long text" : "short"}, {"y", t % 3 == 0 ? 1 : -1}}.dump() +
        "\n";
  test::write_bytes(corpus, lines);
  const std::vector<std::string> command = {"embed", "--pool",       "mean", "-i",           corpus, "--out",
                                            out,     "--labels-out", labels, "--max-tokens", "6",    "--quiet"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), command.begin(), command.end());
    return run_wordsway(more);
  };
  ASSERT_EQ(with({"--select", "8"}).exit_code, 0);
  const NpyArray chosen = read_npy(labels);
  EXPECT_EQ(chosen.shape, (std::vector<Index>{8}));
  EXPECT_EQ(std::count(chosen.values.begin(), chosen.values.end(), 1.0), 4);
  ASSERT_EQ(with({}).exit_code, 0);
  EXPECT_EQ(read_npy(labels).shape, (std::vector<Index>{16}))
      << "all short texts: 8 of the rarer label, 8 of the other";
  EXPECT_EQ(with({"--select", "18"}).exit_code, 3) << "there are not that many short ones";
  EXPECT_EQ(run_wordsway({"embed", "--pool", "mean", "--select", "1", "--out", out, "a text"}).exit_code, 2);
}

TEST(Measure, SelectsTheTextsOfACorpus) {
  const test::TemporaryFolder folder;
  const std::string corpus = folder.path("c.txt");
  test::write_bytes(corpus, "a fine film\na film that goes on and on and on\nnot so bad\n");
  const json study = run_json({"measure", "-i", corpus, "--max-tokens", "6", "--layer", "1", "--starts", "1"});
  ASSERT_EQ(study["rows"].size(), 2u);
  for (const json& row : study["rows"]) EXPECT_LT(row["n"], 6);
}

TEST(List, NamesModelsAndCorpora) {
  const json models = run_json({"list", "models"});
  EXPECT_EQ(models[0]["model"], "-m builtin");
  EXPECT_NE(models[0]["summary"].get<std::string>().find("models/builtin"), std::string::npos);
  EXPECT_EQ(models[1]["model"], "-m builtin-decoder");
  EXPECT_NE(models[1]["summary"].get<std::string>().find("models/builtin-decoder"), std::string::npos);
  EXPECT_EQ(models[2]["model"], "-m builtin-softmax-0.25-seed-1");
  EXPECT_NE(models[13]["summary"].get<std::string>().find("models/normalisers/square-seed-2"), std::string::npos);
  EXPECT_EQ(run_json({"info", "builtin-softmax-4-seed-2"})["normaliser"], "softmax, β = 4");
  std::string kinds;
  for (const json& row : models) kinds += row["kind"].get<std::string>() + "\n";
  for (const char* type : {"bert\n", "distilbert\n", "roberta\n"})
    EXPECT_NE(kinds.find(std::string("model_type ") + type), std::string::npos) << kinds;
  EXPECT_GE(run_json({"list", "corpora"}).size(), 6u);
}

TEST(Embed, PaddingDoesNotChangeWhatItFollows) {
  const test::TemporaryFolder folder;
  const std::string plain = folder.path("plain.npy"), padded = folder.path("padded.npy");
  run_json({"embed", "--out", plain, "a fine film"});
  run_json({"embed", "--n", "12", "--pad", "--out", padded, "a fine film"});
  const auto a = read_npy(plain).values, b = read_npy(padded).values;
  for (size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-4);
}

TEST(Attention, RowsSumToOneAndTheAttractedTokenGetsMore) {
  const json result = run_json({"attention", "towards understanding attention", "--layer", "1", "--head", "0",
                                "--token", "2", "--direction", "attract"});
  const auto before = result["attention"].get<std::vector<std::vector<double>>>();
  const auto after = result["attention_after"].get<std::vector<std::vector<double>>>();
  double towards_before = 0, towards_after = 0;
  for (size_t j = 0; j < before.size(); ++j) {
    double sum = 0;
    for (const double weight : before[j]) sum += weight;
    EXPECT_NEAR(sum, 1, 1e-5);
    towards_before += before[j][2];
    towards_after += after[j][2];
  }
  EXPECT_GT(towards_after, 1.5 * towards_before);
}

TEST(Attention, OfAllLayersAndHeadsIsOneArray) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("a.npy");
  const json row = run_json({"attention", "a fine film", "--layer", "all", "--head", "all", "--out", file})[0];
  EXPECT_EQ(row["shape"], (json{4, 4, 5, 5}));
  const NpyArray all = read_npy(file);
  ASSERT_EQ(all.shape, (std::vector<Index>{4, 4, 5, 5}));
  for (const size_t layer : {1U, 4U})
    for (const size_t head : {0U, 3U}) {
      const json printed =
          run_json({"attention", "a fine film", "--layer", std::to_string(layer), "--head", std::to_string(head)});
      for (size_t j = 0; j < 5; ++j)
        for (size_t m = 0; m < 5; ++m)
          EXPECT_EQ(printed["attention"][j][m], all.values[(((layer - 1) * 4 + head) * 5 + j) * 5 + m]);
    }
  EXPECT_EQ(run_json({"attention", "a film", "--layer", "all", "--head", "1", "--out", file})[0]["shape"],
            (json{4, 1, 4, 4}));
  EXPECT_EQ(run_json({"attention", "a film", "--head", "all", "--out", file})[0]["shape"], (json{1, 4, 4, 4}));
}

TEST(Attention, OfACorpusIsAFolderThatGoesOn) {
  const test::TemporaryFolder folder;
  const std::string corpus = folder.path("corpus.txt"), out = folder.path("made/for/it");
  test::write_bytes(corpus, "a fine film\nbad\nI love her smile\n");
  const std::vector<std::string> command = {"attention", "-i",    corpus, "--layer",  "all",  "--head",
                                            "all",       "--out", out,    "--format", "jsonl"};
  const auto first = run_wordsway(command);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::string array = test::read_bytes(out + "/000001.npy");
  std::filesystem::remove(out + "/000001.npy");
  const auto again = run_wordsway(command);
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out, first.out);
  EXPECT_THAT(again.err, HasSubstr("3 of 3 trials are there already"));
  EXPECT_THAT(again.err, HasSubstr("files written again because they were missing or changed: 1"));
  EXPECT_EQ(test::read_bytes(out + "/000001.npy"), array);
  test::write_bytes(corpus, "a fine film\ngood\nI love her smile\n");
  const auto other = run_wordsway(command);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("the texts are others than those of this journal"));
  EXPECT_EQ(test::read_bytes(out + "/000001.npy"), array);
}

TEST(Attention, IsPrintedTextByTextAsOneDocument) {
  const json one = run_json({"attention", "a film"}), two = run_json({"attention", "a film", "bad"});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0], one);
  const auto csv = run_wordsway({"attention", "a film", "bad", "--format", "csv"});
  EXPECT_THAT(csv.out, StartsWith("text,query,query_piece,key,key_piece,attention\n0,0,[CLS],0,[CLS],"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 1 + 16 + 9) << "one header";
  const test::TemporaryFolder folder;
  test::write_bytes(folder.path("c.txt"), "one two three four five\ngood\nbad\n");
  EXPECT_EQ(run_json({"attention", "-i", folder.path("c.txt"), "--max-tokens", "5"}).size(), 2U);
  EXPECT_TRUE(run_json({"attention", "-i", folder.path("c.txt"), "--select", "1", "--max-tokens", "5"}).is_object());
}

TEST(Attention, RefusesWhatCannotBePrintedOrWritten) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("a.npy"), chart = folder.path("a.svg");
  const auto refusal = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "attention");
    const auto run = run_wordsway(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  for (const char* flag : {"--layer", "--head"})
    EXPECT_THAT(refusal({"hi", flag, "all"}), HasSubstr("too many numbers"));
  EXPECT_THAT(refusal({"hi", "--out", file, "--token", "1"}), HasSubstr("give one of them"));
  EXPECT_THAT(refusal({"hi", "--out", file, "--chart", chart}), HasSubstr("give one of them"));
  EXPECT_THAT(refusal({"hi", "ho", "--out", file}), HasSubstr("there are 2 texts: name a folder"));
  EXPECT_THAT(refusal({"hi", "--layer", "first"}), HasSubstr("the layer is all, last or a number; got 'first'"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.folder()));
}

TEST(Layers, TheMovedTokenChangesEveryLayerAndAscentTheLastMost) {
  const json rows = run_json({"layers", "a fine film", "--token", "2"});
  std::map<std::string, double> last;
  for (const json& row : rows)
    if (row["layer"] == 4) last[row["direction"]] = row["change"];
  ASSERT_EQ(last.size(), 3u);
  EXPECT_GT(last["noise"], 0);
  EXPECT_GE(last["ascent"], last["noise"]);
}

TEST(Words, OfSeveralTextsAreOneDocument) {
  const json rows = run_json({"words", "good film", "bad", "--fast"})["rows"];
  ASSERT_EQ(rows.size(), 3U);
  for (size_t k = 0; k < 3; ++k) EXPECT_EQ(rows[k]["text"], k / 2);
  EXPECT_EQ(rows[2]["word"], "bad");
  const auto printed = [&](const char* format) {
    return run_wordsway({"words", "good film", "bad", "--fast", "--format", format}).out;
  };
  const std::string csv = printed("csv");
  EXPECT_THAT(csv, StartsWith("text,word,"));
  EXPECT_THAT(csv, HasSubstr("\n1,bad,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 3);
  EXPECT_EQ(std::ranges::count(printed("jsonl"), '\n'), 3);
  EXPECT_EQ(std::ranges::count(printed("table"), '\n'), 3 + 1 + 2);  // a table each
}

TEST(Words, ScoresEveryWordOnce) {
  const json rows = run_json({"words", "unbelievably good film", "--fast"})["rows"];
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["word"], "unbelievably");
  for (const json& row : rows) EXPECT_GT(row["sensitivity"].get<double>(), 0);
}

TEST(MeasureModel, TheModelIsTheMapWhenNoMapIsNamed) {
  const test::TemporaryFolder folder;
  const std::string delta = folder.path("delta.npy");
  const json row = run_json({"measure", "a fine film", "--layer", "1", "--token", "2", "--delta-out", delta});
  EXPECT_EQ(row["map"], "builtin");
  EXPECT_EQ(row["d"], 256);
  EXPECT_GT(row["sensitivity"].get<double>(), 0.1);
  EXPECT_EQ(read_npy(delta).shape, std::vector<Index>{256});
  EXPECT_NEAR(row["delta_norm"].get<double>(), 16, 1e-9);
}

TEST(MeasureModel, EmbeddingsAreDataWhenAMapIsNamed) {
  const json study = run_json(
      {"measure", "--map", "raf", "a fine film that I liked", "--n", "4,5,6", "--d", "32,64", "--trials", "2"});
  EXPECT_EQ(study["rows"].size(), 12u);
  EXPECT_EQ(study["fits"].size(), 2u);
}

TEST(ModelMistakes, HaveTheirExitCodes) {
  EXPECT_EQ(run_wordsway({"tokenize"}).exit_code, 2);
  EXPECT_EQ(run_wordsway({"info", "/nowhere"}).exit_code, 4);
  EXPECT_EQ(run_wordsway({"attention", "a film", "--layer", "9"}).exit_code, 2);
  EXPECT_EQ(run_wordsway({"attention", "a film", "--head", "9"}).exit_code, 2);
  EXPECT_EQ(run_wordsway({"layers", "a film", "--token", "99"}).exit_code, 2);
  EXPECT_EQ(run_wordsway({"measure", "a film", "--layer", "nine"}).exit_code, 2);
}

// The processor has one precision: a flag that would change nothing is refused, wherever --device stands.
TEST(ModelMistakes, APrecisionNeedsAGpu) {
  const std::vector<std::vector<std::string>> flags = {
      {"--precision", "bf16"}, {"--device", "cpu", "--precision", "bf16"}, {"--precision", "f32", "--device", "cpu"}};
  for (const std::string command :
       {"words", "substitute", "layers", "pairs", "embed", "measure", "generate", "answers", "attention", "serve"}) {
    for (const auto& precision : flags) {
      std::vector<std::string> arguments = {command};
      if (command != "serve") arguments.emplace_back("a film");
      arguments.insert(arguments.end(), precision.begin(), precision.end());
      const auto refused = run_wordsway(arguments);
      EXPECT_EQ(refused.exit_code, 2) << command;
      EXPECT_THAT(refused.err, HasSubstr("--precision is for products on a GPU and needs --device cuda"));
      EXPECT_EQ(refused.out, "");
    }
  }
}

}  // namespace
}  // namespace wordsway
