// Folders of sentence-transformers as a user gives them: embed, words, layers, measure and info.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sanitized.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"

namespace wordsway {
namespace {

using nlohmann::json;
using test::run_wordsway;
using testing::HasSubstr;

constexpr int kUsageMistake = 2, kDataMistake = 3;

std::string golden_sentence(const std::string& name) {
  return (test::source_folder() / "tests/golden/sentence" / name).string();
}

class SentenceFolder : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path(name).string(); }

  // A copy of a golden folder in which one file has another content.
  std::string with_file(const std::string& name, const std::string& changed, const std::string& content) {
    const std::filesystem::path copy = folder_.path("copy" + std::to_string(copies_++));
    std::filesystem::copy(golden_sentence(name), copy, std::filesystem::copy_options::recursive);
    test::write_bytes(copy / changed, content);
    return copy.string();
  }

  std::vector<double> embed(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"embed", "--pool", "model", "--out", file("e.npy")});
    const auto run = run_wordsway(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    said_ = run.err;
    return read_npy(file("e.npy")).values;
  }

  test::TemporaryFolder folder_;
  int copies_ = 0;
  std::string said_;
};

TEST_F(SentenceFolder, EmbedSaysWhatWasUsedAndWhichFileSaidSo) {
  embed({"-m", golden_sentence("mpnet-mean-prompt"), "a film"});
  EXPECT_THAT(said_, HasSubstr("pooling mean without the prompt (modules.json, 1_Pooling/config.json); prompt "
                               "\"search for: \" (config_sentence_transformers.json); at most 192 tokens "
                               "(tokenizer_config.json)"));
  embed({"-m", golden_sentence("roberta-plain"), "a film"});
  EXPECT_THAT(said_, HasSubstr("pooling mean: there is no modules.json that says otherwise; no prompt"));
}

TEST_F(SentenceFolder, PromptsAreChosenByNameByTextOrByTheFolder) {
  const std::string model = golden_sentence("mpnet-mean-prompt");
  const auto usual = embed({"-m", model, "a film"}), query = embed({"-m", model, "a film", "--prompt-name", "query"});
  const auto document = embed({"-m", model, "a film", "--prompt-name", "document"});
  const auto text = embed({"-m", model, "a film", "--prompt", "A document: "});
  const auto none = embed({"-m", model, "a film", "--prompt", ""});
  EXPECT_EQ(usual, query);
  EXPECT_EQ(document, text);
  EXPECT_NE(usual, document);
  EXPECT_NE(usual, none);
  // Another pooling does not change what goes before the text.
  const auto first_row = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"embed", "-m", model, "a film", "--pool", "cls", "--out", file("cls.npy")});
    EXPECT_EQ(run_wordsway(more).exit_code, 0);
    return read_npy(file("cls.npy")).values;
  };
  EXPECT_EQ(first_row({}), first_row({"--prompt-name", "query"}));
  EXPECT_NE(first_row({}), first_row({"--prompt", ""}));
  const auto unknown =
      run_wordsway({"embed", "-m", model, "a", "--pool", "model", "--prompt-name", "querry", "-o", file("e.npy")});
  EXPECT_EQ(unknown.exit_code, kUsageMistake);
  EXPECT_THAT(unknown.err, HasSubstr("there is no prompt 'querry'; the model has document, query"));
}

TEST_F(SentenceFolder, InfoHasTheKeysOfTheChain) {
  const auto run = run_wordsway({"info", golden_sentence("bert-weightedmean"), "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json info = json::parse(run.out);
  EXPECT_EQ(info["pooling"], "weightedmean");
  EXPECT_EQ(info["pooling_file"], "1_Pooling/config.json");
  EXPECT_EQ(info["normalised"], false);
  EXPECT_EQ(info["prompts"], (json{{"document", ""}, {"query", ""}}));
  EXPECT_EQ(info["max_length"], 40);
  EXPECT_EQ(info["similarity"], "cosine");
  EXPECT_THAT(info["sentence_chain"].get<std::string>(), HasSubstr("dense 32 to 24 gelu with residual, layer norm"));
}

TEST_F(SentenceFolder, PooledIsTheWholeChainInEveryCommand) {
  const std::string model = golden_sentence("bert-concat");
  const auto words = run_wordsway({"words", "a good film", "-m", model, "--layer", "pooled", "--format", "json"});
  ASSERT_EQ(words.exit_code, 0) << words.err;
  EXPECT_EQ(json::parse(words.out)["rows"].size(), 3u);
  const auto layers = run_wordsway(
      {"layers", "a good film", "-m", model, "--layer", "pooled", "--format", "json", "--direction", "attract"});
  ASSERT_EQ(layers.exit_code, 0) << layers.err;
  const json rows = json::parse(layers.out);
  EXPECT_EQ(rows.back()["layer"], "pooled");
  const auto measure = run_wordsway({"measure", "-m", model, "a good film", "--layer", "pooled", "--token", "2",
                                     "--delta-out", file("d.npy"), "--format", "json"});
  ASSERT_EQ(measure.exit_code, 0) << measure.err;
  // A vector of norm 1 moves by at most 2, and a search finds no less than the attracting direction.
  const double sensitivity = json::parse(measure.out)["sensitivity"];
  EXPECT_LE(sensitivity, 2);
  EXPECT_GE(sensitivity, rows.back()["change"].get<double>() * 0.999);
}

TEST_F(SentenceFolder, WordsOfAPromptAreNotWordsOfTheText) {
  const auto run = run_wordsway(
      {"words", "a good film", "-m", golden_sentence("mpnet-mean-prompt"), "--layer", "pooled", "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json words = json::parse(run.out)["rows"];
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[0]["word"], "a");
  EXPECT_EQ(words[0]["begin"], 0);
  EXPECT_EQ(words[2]["word"], "film");
  EXPECT_EQ(words[2]["end"], 11);
}

TEST_F(SentenceFolder, ACorpusGoesThroughAFileAStreamOrAPipeAlike) {
  std::string lines;
  for (int t = 0; t < 1500; ++t) lines += "film number " + std::to_string(t) + " was not so bad\n";
  test::write_bytes(file("c.txt"), lines);
  const std::string model = golden_sentence("bert-cls-dense");
  const auto from_file = embed({"-m", model, "-i", file("c.txt")});
  EXPECT_EQ(read_npy(file("e.npy")).shape, (std::vector<Index>{1500, 24}));
  test::RunningProgram shell({"/bin/sh", "-c",
                              "cat " + file("c.txt") + " | " + test::wordsway_command({"embed"})[0] +
                                  " embed --pool model -i - -m " + model + " --out " + file("s.npy")});
  EXPECT_EQ(shell.finish().exit_code, 0);
  EXPECT_EQ(read_npy(file("s.npy")).values, from_file);
  EXPECT_EQ(embed({"-m", model, "film number 77 was not so bad"}),
            std::vector<double>(from_file.begin() + 77 * 24, from_file.begin() + 78 * 24))
      << "a text has the same bits alone and in a corpus";
}

TEST_F(SentenceFolder, MemoryDoesNotGrowWithTheCorpusNorBitsChangeWithThreads) {
  if (test::kSanitized) GTEST_SKIP() << "sanitizers hold freed memory back";
  std::string lines;
  for (int t = 0; t < 2000; ++t)
    lines += "film number " + std::to_string(t) + " was not so bad, and this one not so good\n";
  test::write_bytes(file("small.txt"), lines);
  std::string many;
  for (int k = 0; k < 20; ++k) many += lines;
  test::write_bytes(file("large.txt"), many);
  const auto run = [&](const std::string& corpus, const std::string& threads) {
    const auto result = run_wordsway({"embed", "-m", golden_sentence("bert-lasttoken"), "--pool", "model", "-i",
                                      file(corpus), "--out", file(corpus + threads + ".npy"), "--threads", threads});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.peak_rss_bytes;
  };
  const double small = run("small.txt", "2");
  EXPECT_LT(run("large.txt", "2") - small, 6e6) << "the vectors alone are 5 MB";
  run("large.txt", "1");
  EXPECT_EQ(test::read_bytes(file("large.txt1.npy")), test::read_bytes(file("large.txt2.npy")));
}

TEST_F(SentenceFolder, CorruptFoldersAreOneSentence) {
  struct Case {
    std::string folder, file, content, sentence;
  };
  const std::vector<Case> cases = {
      {"bert-concat", "1_Pooling/config.json", R"({"pooling_mode": "middle"})", "unknown pooling 'middle'"},
      {"bert-concat", "1_Pooling/config.json", R"({"pooling_mode": "mean"})",
       "takes 192 numbers, but what comes before"},
      {"bert-concat", "1_Pooling/config.json", R"({"pooling_mode": "mean", "embedding_dimension": 48})",
       "'embedding_dimension' is 48, but the model's vectors have 32 numbers"},
      {"bert-concat", "2_Dense/config.json", R"({"in_features": 191, "out_features": 24})", "linear.weight"},
      {"bert-concat", "2_Dense/config.json",
       R"({"in_features": 192, "out_features": 20, "bias": false, "activation_function": "torch.nn.Mish"})",
       "names 'Mish'"},
      {"bert-concat", "modules.json", R"([{"type": "a.Transformer"}, {"type": "a.Pooling", "path": "9_Pooling"}])",
       "9_Pooling/config.json: there is no such file"},
      {"bert-concat", "modules.json", R"([{"type": "a.Transformer"}, {"type": "x.WeightedLayerPooling"}])",
       "names the module 'WeightedLayerPooling'"},
      {"mpnet-mean-prompt", "config_sentence_transformers.json", R"({"prompts": "query"})", "must be an object"},
      {"mpnet-mean-prompt", "config_sentence_transformers.json", R"({"prompts": {"query": 7}})", "must hold strings"},
  };
  for (const Case& wrong : cases) {
    const auto run = run_wordsway({"embed", "a", "--pool", "model", "--out", file("x.npy"), "-m",
                                   with_file(wrong.folder, wrong.file, wrong.content)});
    EXPECT_EQ(run.exit_code, kDataMistake) << wrong.content;
    EXPECT_THAT(run.err, HasSubstr(wrong.sentence));
    EXPECT_FALSE(std::filesystem::exists(file("x.npy")));
  }
}

}  // namespace
}  // namespace wordsway
