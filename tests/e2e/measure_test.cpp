// `wordsway measure` and `list` as a user runs them.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.h"
#include "support/samples.h"
#include "support/temporary_folder.h"
#include "wordsway/data/data_source.h"
#include "wordsway/io/npy.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using nlohmann::json;
using test::run_wordsway;

const std::vector<std::string> kSmall = {"measure", "--map", "raf", "--n", "5,8,12", "--d", "6", "--trials", "2"};

std::vector<std::string> with(std::vector<std::string> arguments, std::vector<std::string> more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

json without_seconds(json rows) {
  for (json& row : rows) row.erase("seconds");
  return rows;
}

TEST(Measure, WritesTheStudyAsJsonWithTheKeysOfTheContract) {
  const auto run = run_wordsway(with(kSmall, {"--format", "json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json study = json::parse(run.out);
  ASSERT_EQ(study["rows"].size(), 6u);
  for (const char* key : {"map",
                          "n",
                          "d",
                          "depth",
                          "width",
                          "activation",
                          "beta",
                          "random",
                          "trial",
                          "seed",
                          "token",
                          "sensitivity",
                          "upper_bound",
                          "upper_bound_probability",
                          "predicted",
                          "feature_norm",
                          "delta_norm",
                          "starts",
                          "start_spread",
                          "evaluations",
                          "converged",
                          "memory_bytes",
                          "seconds"})
    EXPECT_TRUE(study["rows"][0].contains(key)) << key;
  EXPECT_EQ(study["config"]["data"], "builtin");
  ASSERT_EQ(study["fits"].size(), 1u);
  for (const char* key : {"map", "d", "depth", "exponent", "exponent_low", "exponent_high"})
    EXPECT_TRUE(study["fits"][0].contains(key)) << key;
  EXPECT_NE(run.err.find("builtin"), std::string::npos) << "the default data are named on stderr";
}

TEST(Measure, TheTableOfFitsShowsWhatTellsItsCurvesApart) {
  const auto run = run_wordsway(
      {"measure", "--map", "rf", "--activation", "gelu,relu", "--n", "5,8,12", "--d", "6", "--trials", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (const char* curve : {"rf, d = 6, activation = gelu: S scales", "rf, d = 6, activation = relu: S scales"})
    EXPECT_NE(run.out.find(curve), std::string::npos) << run.out;
}

TEST(Measure, TheTableKeepsTheOrderOfColumnsWhereMapsDiffer) {
  const auto run = run_wordsway({"measure", "--map", "rf,raf", "--n", "5", "--d", "6", "--trials", "1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string head = run.out.substr(0, run.out.find('\n'));
  EXPECT_LT(head.find("beta"), head.find("sensitivity")) << head;
  EXPECT_LT(head.find("activation"), head.find("beta")) << head;
}

TEST(Measure, HelpListsTheParametersOfMapsWithTheirDefaults) {
  for (const char* command : {"measure", "generalize"}) {
    const auto run = run_wordsway({command, "--help"});
    for (const std::string& map : map_registry().names())
      for (const Parameter& parameter : map_registry().get(map).parameters) {
        const size_t flag = run.out.find("--" + parameter.name() + " ");
        ASSERT_NE(flag, std::string::npos) << command << " " << parameter.name();
        EXPECT_NE(run.out.find(parameter.default_text(), flag), std::string::npos) << parameter.name();
        EXPECT_NE(run.out.find(parameter.help(), flag), std::string::npos) << parameter.name();
        for (const std::string& choice : parameter.names())
          EXPECT_NE(run.out.find(choice, flag), std::string::npos) << parameter.name();
      }
  }
}

TEST(Measure, AParameterThatNoneOfTheMapsHasIsAMistake) {
  for (const char* command : {"measure", "generalize"}) {
    const auto run = run_wordsway({command, "--map", "rf", "--beta", "2"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("--beta has no meaning for rf"), std::string::npos) << run.err;
    const auto bad = run_wordsway({command, "--map", "drf", "--depth", "0"});
    EXPECT_EQ(bad.exit_code, 2);
    EXPECT_NE(bad.err.find("depth must be at least 1; got 0"), std::string::npos) << bad.err;
  }
  const auto two = run_wordsway({"generalize", "--map", "drf", "--depth", "2,3"});
  EXPECT_EQ(two.exit_code, 2);
  EXPECT_NE(two.err.find("--depth takes one value; got '2,3'"), std::string::npos) << two.err;
}

TEST(Measure, MakesUpDataWhereTheBuiltInReviewsAreTooSmall) {
  for (const auto& [n, d] : {std::pair("4", "257"), std::pair("513", "2")}) {
    const auto run = run_wordsway({"measure", "--n", n, "--d", d, "--trials", "1", "--format", "json"});
    EXPECT_EQ(json::parse(run.out)["config"]["data"], "spiked:0.3") << n << " x " << d;
    EXPECT_NE(run.err.find("spiked:0.3"), std::string::npos);
  }
  const auto asked = run_wordsway({"measure", "--data", "builtin", "--n", "4", "--d", "257"});
  EXPECT_EQ(asked.exit_code, 3);
  EXPECT_NE(asked.err.find("256 coordinates"), std::string::npos) << asked.err;
}

TEST(Measure, QuietSilencesStderrAndNothingElse) {
  const auto loud = run_wordsway(with(kSmall, {"--format", "csv"}));
  const auto quiet = run_wordsway(with(kSmall, {"--format", "csv", "--quiet"}));
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out.substr(0, quiet.out.find('\n')), loud.out.substr(0, loud.out.find('\n')));
}

TEST(Measure, JsonLinesAndCsvHaveOneLineARow) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const auto jsonl = run_wordsway(with(kSmall, {"--format", "jsonl"}));
  EXPECT_EQ(lines(jsonl.out), 6);
  EXPECT_TRUE(json::parse(jsonl.out.substr(0, jsonl.out.find('\n'))).contains("sensitivity"));
  const auto csv = run_wordsway(with(kSmall, {"--format", "csv"}));
  EXPECT_EQ(lines(csv.out), 7);
  EXPECT_EQ(csv.out.substr(0, 8), "map,n,d,");
}

TEST(Measure, ThreadsDoNotChangeTheRows) {
  const auto rows = [](const char* threads) {
    const auto run = run_wordsway(with(kSmall, {"--format", "json", "--threads", threads}));
    return without_seconds(json::parse(run.out)["rows"]);
  };
  EXPECT_EQ(rows("1"), rows("2"));
  EXPECT_EQ(rows("1"), rows("4"));
}

TEST(Measure, PutsWordsBesideTheWorstMove) {
  const std::vector<std::string> words = with(kSmall, {"--typical", "6"});
  const auto table = run_wordsway(words);
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("typical  worst word  left out"), std::string::npos) << table.out;
  const auto one = run_wordsway(with(words, {"--format", "json", "--threads", "1"}));
  const auto four = run_wordsway(with(words, {"--format", "json", "--threads", "4"}));
  const json study = json::parse(one.out);
  EXPECT_EQ(without_seconds(study["rows"]), without_seconds(json::parse(four.out)["rows"]));
  EXPECT_EQ(study["config"]["typical"], 6);
  for (const json& row : study["rows"]) {
    EXPECT_GT(row["typical"], 0);
    EXPECT_LE(row["typical"], row["worst_word_change"]);
    EXPECT_GT(row["words_tried"], 2000) << "the words of the built-in reviews";
  }
  const auto csv = run_wordsway(with(words, {"--format", "csv"}));
  EXPECT_NE(csv.out.find(",converged,typical,worst_word_change,words_tried,left_out,memory_bytes"), std::string::npos);
  EXPECT_EQ(run_wordsway(with(words, {"--dry-run"})).exit_code, 0);
  const auto plain = run_wordsway(with(kSmall, {"--format", "json"}));
  EXPECT_EQ(plain.out.find("typical"), std::string::npos);
}

TEST(Measure, ATrialDoesNotDependOnWhichOthersRun) {
  const auto all = json::parse(run_wordsway(with(kSmall, {"--format", "json"})).out)["rows"];
  const auto one = json::parse(
      run_wordsway({"measure", "--map", "raf", "--n", "12", "--d", "6", "--trials", "1", "--format", "json"})
          .out)["rows"];
  EXPECT_EQ(without_seconds(one)[0], without_seconds(all)[4]);
}

class MeasureFiles : public testing::Test {
 protected:
  void SetUp() override {
    write_npy(x_, spiked_sample(Stream(1), Stream(2), 9, 7, 0.3));
    write_npy(w_, gaussian_matrix(Stream(3), 7, 7, 1 / std::sqrt(7.0)));
  }
  test::TemporaryFolder folder_;
  std::string x_ = folder_.path("x.npy"), w_ = folder_.path("w.npy"), delta_ = folder_.path("delta.npy"),
              w_out_ = folder_.path("w_out.npy"), journal_ = folder_.path("run.jsonl");
};

TEST_F(MeasureFiles, TheWrittenDeltaGivesTheReportedSensitivity) {
  for (const std::string& map : map_registry().names()) {
    const auto run = run_wordsway({"measure", "--map", map, "--x", x_, "--token", "3", "--delta-out", delta_,
                                   "--weights-out", w_out_, "--format", "json"});
    ASSERT_EQ(run.exit_code, 0) << map << ": " << run.err;
    const json row = json::parse(run.out);
    const NpyArray delta = read_npy(delta_);
    ASSERT_EQ(delta.shape, std::vector<Index>{7});
    const Vector move = Eigen::Map<const Vector>(delta.values.data(), 7);
    EXPECT_LE(move.norm(), std::sqrt(7.0) * (1 + 1e-14));
    MapOptions options;
    options.n = 9;
    options.d = 7;
    options.random = "dense";
    const auto dense = map_registry().get(map).with_weights(options, read_npy_matrix(w_out_));
    Matrix X = read_npy_matrix(x_);
    const double S = std::sqrt(test::change_reference(*dense, X, 3, move)) / dense->features_reference(X).norm();
    EXPECT_NEAR(row["sensitivity"].get<double>(), S, 1e-9 * S) << map;
  }
}

TEST_F(MeasureFiles, GivenWeightsAreUsed) {
  const auto run = run_wordsway({"measure", "--x", x_, "--weights", w_, "--weights-out", w_out_, "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(read_npy_matrix(w_out_), read_npy_matrix(w_));
  EXPECT_TRUE(json::parse(run.out).contains("sensitivity")) << "a single explicit evaluation is the row itself";
}

TEST_F(MeasureFiles, AllTokensGiveOneRowWithTheirMaximum) {
  const auto run = run_wordsway({"measure", "--x", x_, "--weights", w_, "--token", "all", "--format", "json"});
  const json row = json::parse(run.out);
  const auto each = row["token_sensitivities"].get<std::vector<double>>();
  ASSERT_EQ(each.size(), 9u);
  EXPECT_EQ(row["sensitivity"].get<double>(), *std::max_element(each.begin(), each.end()));
  EXPECT_EQ(each[row["token"].get<size_t>()], row["sensitivity"].get<double>());
}

TEST_F(MeasureFiles, TheFirstRowsAndCoordinatesAreTakenThenNormalised) {
  Matrix X = read_npy_matrix(x_).topLeftCorner(4, 5);
  normalise_rows(X);
  const std::string corner = folder_.path("corner.npy");
  write_npy(corner, X);
  const auto sensitivity = [](const std::vector<std::string>& arguments) {
    const auto run = run_wordsway(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return json::parse(run.out)["sensitivity"].get<double>();
  };
  EXPECT_NEAR(sensitivity({"measure", "--x", x_, "--n", "4", "--d", "5", "--trials", "1", "--format", "json"}),
              sensitivity({"measure", "--x", corner, "--trials", "1", "--format", "json"}), 1e-12);
}

// The runner of studies runs single results as well: with a journal, and where the row is in it already, the move is
// searched again.
TEST_F(MeasureFiles, ASingleResultHasAJournalAndItsDeltaAfterIt) {
  const std::vector<std::string> command = {"measure", "--x",    x_,         "--delta-out", delta_,
                                            "--out",   journal_, "--format", "json"};
  const auto first = run_wordsway(command);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const std::vector<double> found = read_npy(delta_).values;
  std::filesystem::remove(delta_);
  const auto again = run_wordsway(command);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, first.out);  // seconds included: it is the journal's row
  EXPECT_EQ(read_npy(delta_).values, found);
}

TEST_F(MeasureFiles, SeveralResultsDoNotFitOneFile) {
  EXPECT_EQ(run_wordsway({"measure", "--x", x_, "--trials", "2", "--delta-out", delta_}).exit_code, 2);
  EXPECT_EQ(run_wordsway({"measure", "--n", "4,5", "--delta-out", delta_}).exit_code, 2);
}

TEST_F(MeasureFiles, BadDataAndFilesHaveTheirExitCodes) {
  const auto expect = [](int code, const std::vector<std::string>& arguments, const char* said) {
    const auto run = run_wordsway(arguments);
    EXPECT_EQ(run.exit_code, code) << run.err;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
    EXPECT_EQ(run.out, "");
  };
  expect(4, {"measure", "--x", folder_.path("nowhere.npy")}, "nowhere.npy");
  expect(3, {"measure", "--x", x_, "--n", "10"}, "9 x 7");
  expect(3, {"measure", "--x", x_, "--weights", x_}, "7 x 7");
  expect(4, {"measure", "--x", x_, "--delta-out", "/nowhere/delta.npy"}, "/nowhere/delta.npy");
  Matrix zero = read_npy_matrix(x_);
  zero.row(2).setZero();
  write_npy(x_, zero);
  expect(3, {"measure", "--x", x_}, "row 2");
  zero(2, 2) = std::nan("");
  write_npy(x_, zero);
  expect(3, {"measure", "--x", x_, "--no-normalise"}, "not finite");
}

TEST(MeasureUsage, MistakesExitWithTwoAndOneSentence) {
  const std::vector<std::vector<std::string>> mistakes = {{"measure", "--map", "nonsense"},
                                                          {"measure", "--n", "0"},
                                                          {"measure", "--n", "ten"},
                                                          {"measure", "--n", "5,,6"},
                                                          {"measure", "--n", "5", "--token", "5"},
                                                          {"measure", "--token", "-1"},
                                                          {"measure", "--trials", "0"},
                                                          {"measure", "--radius", "-1"},
                                                          {"measure", "--data", "spiked:2"},
                                                          {"measure", "--format", "xml"},
                                                          {"measure", "--beta", "-1"},
                                                          {"measure", "--beta", "nan"},
                                                          {"measure", "--map", "raf", "--depth", "3"},
                                                          {"measure", "--map", "raf-relu", "--beta", "2"},
                                                          {"measure", "--map", "raf", "--random", "deferred"},
                                                          {"measure", "--threads", "0"},
                                                          {"measure", "--typical", "0"},
                                                          {"measure", "--typical", "many"},
                                                          {"measure", "--unknown"},
                                                          {"nonsense"},
                                                          {"list", "nonsense"}};
  for (const auto& arguments : mistakes) {
    const auto run = run_wordsway(arguments);
    EXPECT_EQ(run.exit_code, 2) << testing::PrintToString(arguments) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(Help, TeachesWithExamples) {
  for (const char* command : {"measure", "list", "reproduce"}) {
    const auto run = run_wordsway({command, "--help"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.out.find("Examples:"), std::string::npos) << command;
  }
  EXPECT_EQ(run_wordsway({"--help"}).exit_code, 0);
}

TEST(List, NamesEveryMapAndItsPage) {
  const auto run = run_wordsway({"list", "maps"});
  const auto pages = run_wordsway({"list", "maps", "--long"});
  for (const std::string& map : map_registry().names()) {
    EXPECT_NE(run.out.find(map), std::string::npos);
    EXPECT_NE(pages.out.find(map_registry().get(map).description), std::string::npos);
  }
}

const std::vector<std::string> kTogether = {"measure", "--map",  "raf,rf",  "--n", "9",        "--d", "4",
                                            "--data",  "sphere", "--token", "2",   "--trials", "1"};

TEST(MeasureTogether, SaysHowManyTokensMoved) {
  const auto run = run_wordsway(with(kTogether, {"--tokens", "1,3", "--format", "json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json study = json::parse(run.out);
  EXPECT_EQ(study["config"]["moved_tokens"], (std::vector<int>{1, 3}));
  ASSERT_EQ(study["rows"].size(), 4u);
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(study["rows"][k]["moved_tokens"], k % 2 == 0 ? 1 : 3);
    EXPECT_EQ(study["rows"][k]["token"], 2);
    EXPECT_GE(study["rows"][k]["upper_bound"], study["rows"][k]["sensitivity"]);
  }
  const auto table = run_wordsway(with(kTogether, {"--tokens", "1,3"}));
  EXPECT_NE(table.out.find("moved_tokens"), std::string::npos) << table.out;
  EXPECT_EQ(run_wordsway(kTogether).out.find("moved_tokens"), std::string::npos);
}

// The map recomputed with the written moves gives the sensitivity of the row, and each token stays in its ball.
TEST(MeasureTogether, WritesTheMovesOfAllTokens) {
  const test::TemporaryFolder folder;
  const Index n = 9, d = 4;
  const Matrix X = sphere_sample(Stream(3), n, d), W = gaussian_matrix(Stream(4), d, d, 0.5);
  write_npy(folder.path("x.npy"), X);
  write_npy(folder.path("w.npy"), W);
  MapOptions options;
  options.n = n;
  options.d = d;
  const auto map = map_registry().get("raf").with_weights(options, W);
  for (const bool spread : {false, true}) {
    std::vector<std::string> command = {"measure",
                                        "--map",
                                        "raf",
                                        "--x",
                                        folder.path("x.npy").string(),
                                        "--weights",
                                        folder.path("w.npy").string(),
                                        "--token",
                                        "2",
                                        "--tokens",
                                        "3",
                                        "--delta-out",
                                        folder.path("delta.npy").string(),
                                        "--format",
                                        "json"};
    if (spread) command.emplace_back("--spread");
    const auto run = run_wordsway(command);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Matrix moves = read_npy_matrix(folder.path("delta.npy"));
    ASSERT_EQ(moves.rows(), 3);
    ASSERT_EQ(moves.cols(), d);
    EXPECT_LE(moves.rowwise().norm().maxCoeff(), 2 * (1 + 1e-14));
    Matrix moved = X;
    for (Index t = 0; t < 3; ++t) moved.row(spread ? 2 + t * 7 / 3 : 2 + t) += moves.row(t);
    const Matrix before = map->features_reference(X);
    const double change = (map->features_reference(moved) - before).norm() / before.norm();
    EXPECT_NEAR(json::parse(run.out)["sensitivity"].get<double>(), change, 1e-9 * change) << spread;
  }
}

TEST(MeasureTogether, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::vector<std::string>& more, const char* reason) {
    const auto run = run_wordsway(with(kTogether, more));
    EXPECT_EQ(run.exit_code, 2) << run.out;
    EXPECT_NE(run.err.find(reason), std::string::npos) << run.err;
  };
  refused({"--tokens", "8"}, "8 tokens from token 2 on run past the end; with n = 9 there are 7");
  refused({"--tokens", "0"}, "--tokens must lie between 1 and");
  refused({"--tokens", "two"}, "--tokens");
  refused({"--spread"}, "--spread is for --tokens");
  refused({"--tokens", "2", "--typical", "3"}, "--typical");
  refused({"--tokens", "2", "--delta-out", "d.npy"}, "single result");
  const auto all = run_wordsway({"measure", "--map", "raf", "--n", "5", "--d", "3", "--token", "all", "--tokens", "2"});
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_NE(all.err.find("cannot be all"), std::string::npos) << all.err;
  const auto model = run_wordsway({"measure", "I love her smile", "--tokens", "2"});
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_NE(model.err.find("one token at a time"), std::string::npos) << model.err;
}

}  // namespace
}  // namespace wordsway
