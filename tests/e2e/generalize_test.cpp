#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <Eigen/QR>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/data/data_source.h"
#include "wordsway/io/npy.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"

namespace wordsway::test {
namespace {

using Json = nlohmann::json;

const std::vector<std::string> kKeys = {"map",
                                        "n",
                                        "d",
                                        "train_size",
                                        "trial",
                                        "seed",
                                        "token",
                                        "training",
                                        "objective",
                                        "penalty",
                                        "gamma",
                                        "error",
                                        "alignment",
                                        "output_before",
                                        "output_after",
                                        "perturbed_before",
                                        "perturbed_after",
                                        "condition",
                                        "delta_norm",
                                        "evaluations",
                                        "converged",
                                        "seconds"};

std::vector<std::string> with_more(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::vector<std::string> small_study(const std::vector<std::string>& more) {
  return with_more(
      {"generalize", "--map", "raf", "--n", "6", "--d", "8", "--train-size", "10", "--trials", "2", "--quiet"}, more);
}

std::vector<Json> json_lines(const std::string& text) {
  std::vector<Json> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) rows.push_back(Json::parse(line));
  return rows;
}

// Samples in files, as a user brings them.
class ExplicitGeneralize : public testing::Test {
 protected:
  static constexpr Index kN = 9, kTokens = 5, kD = 7;

  void SetUp() override {
    values_.clear();
    labels_.clear();
    for (Index s = 0; s < kN; ++s) {
      const Matrix X = sphere_sample(Stream(1).derive(static_cast<std::uint64_t>(s)), kTokens, kD);
      values_.insert(values_.end(), X.data(), X.data() + X.size());
      labels_.push_back(s % 2 == 0 ? 1 : -1);
    }
    write_npy(file("X.npy"), std::span<const double>(values_), {kN, kTokens, kD});
    write_npy(file("y.npy"), std::span<const double>(labels_), {kN});
    write_npy(file("x.npy"), sphere_sample(Stream(2), kTokens, kD));
    write_npy(file("W.npy"), gaussian_matrix(Stream(3), kD, kD, 1 / std::sqrt(7.0)));
  }

  std::string file(const std::string& name) const { return folder_.path(name).string(); }

  std::vector<std::string> arguments(const std::vector<std::string>& more = {}) const {
    return with_more({"generalize", "--map", "raf", "--x-train", file("X.npy"), "--y-train", file("y.npy"), "--x",
                      file("x.npy"), "--y", "1", "--weights", file("W.npy"), "--quiet"},
                     more);
  }

  TemporaryFolder folder_;
  std::vector<double> values_, labels_;
};

TEST(Generalize, GivesRowsWithTheKeysOfTheContract) {
  const ProgramResult result = run_wordsway(small_study({"--format", "jsonl", "--penalty", "0,0.5"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = json_lines(result.out);
  ASSERT_EQ(rows.size(), 2 * 2 * (1 + 2));
  for (const Json& row : rows) {
    EXPECT_EQ(row.size(), kKeys.size());
    for (const std::string& key : kKeys) EXPECT_TRUE(row.contains(key)) << key;
    EXPECT_EQ(row["penalty"].is_null(), row["objective"] == "align");
    EXPECT_NEAR(row["gamma"], std::abs(double(row["perturbed_before"]) - double(row["output_before"])), 1e-12);
  }
  EXPECT_EQ(result.err, "");
}

TEST(Generalize, DoesNotDependOnThreadsAndHardlyOnMemory) {
  const auto one = json_lines(run_wordsway(small_study({"--format", "jsonl", "--threads", "1"})).out);
  const auto four = json_lines(run_wordsway(small_study({"--format", "jsonl", "--threads", "4"})).out);
  const auto tight = json_lines(run_wordsway(small_study({"--format", "jsonl", "--memory", "1K"})).out);
  ASSERT_FALSE(one.empty());
  for (size_t k = 0; k < one.size(); ++k)
    for (const auto& [key, value] : one[k].items()) {
      if (key == "seconds") continue;
      EXPECT_EQ(value, four[k][key]) << key;
      if (value.is_number_float()) {
        EXPECT_NEAR(value, tight[k][key], 1e-10 * std::max(1.0, std::abs(double(value)))) << key;
      }
    }
}

TEST(Generalize, WritesADocumentACsvAndATable) {
  const Json document = Json::parse(run_wordsway(small_study({"--format", "json"})).out);
  EXPECT_EQ(document["rows"].size(), 8);
  EXPECT_EQ(document["config"]["train_size"], Json::array({10}));
  EXPECT_TRUE(document["fits"].empty());
  const std::string csv = run_wordsway(small_study({"--format", "csv"})).out;
  EXPECT_EQ(csv.substr(0, csv.find('\n')).substr(0, 30), "map,n,d,train_size,trial,seed,");
  EXPECT_NE(run_wordsway(small_study({})).out.find("re"), std::string::npos);
}

TEST(Generalize, GoesOnFromItsJournal) {
  const TemporaryFolder folder;
  const auto study = small_study({"--format", "jsonl", "--out", folder.path("run.jsonl").string()});
  const ProgramResult first = run_wordsway(study);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(run_wordsway(study).out, first.out);  // `seconds` too: nothing was run again
  auto other = study;
  other.insert(other.end(), {"--seed", "2"});
  EXPECT_EQ(run_wordsway(other).exit_code, 2);
}

TEST(Generalize, SaysWhatItWouldCost) {
  const ProgramResult result = run_wordsway(small_study({"--dry-run"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(result.out.empty());
}

TEST(Generalize, DrawsAChartWithAPanelForEachTraining) {
  const TemporaryFolder folder;
  const ProgramResult result = run_wordsway(small_study({"--chart", folder.path("c.svg").string()}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::ifstream file(folder.path("c.svg"));
  const std::string svg((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(svg.find("fine-tuned"), std::string::npos);
  EXPECT_NE(svg.find("re-trained"), std::string::npos);
  EXPECT_NE(svg.find("N = 10"), std::string::npos);
}

TEST_F(ExplicitGeneralize, ReportsOutputsThatCanBeRecomputedFromTheWrittenDelta) {
  for (const std::string training : {"fine-tune", "retrain"})
    for (const std::string objective : {"align", "error"}) {
      const ProgramResult result =
          run_wordsway(arguments({"--training", training, "--objective", objective, "--delta-out", file("delta.npy"),
                                  "--token", "3", "--format", "json", "--no-normalise"}));
      ASSERT_EQ(result.exit_code, 0) << result.err;
      const Json row = Json::parse(result.out);

      MapOptions options;
      options.n = kTokens;
      options.d = kD;
      const auto map = map_registry().get("raf").with_weights(options, read_npy_matrix(file("W.npy")));
      const auto features = [&](const Matrix& X) -> Vector {
        const Matrix phi = map->features_reference(X);
        return Eigen::Map<const Vector>(phi.data(), phi.size());
      };
      Matrix Phi(kN, kTokens * kD);
      for (Index s = 0; s < kN; ++s)
        Phi.row(s) = features(Eigen::Map<const Matrix>(values_.data() + s * kTokens * kD, kTokens, kD));
      const Vector Y = Eigen::Map<const Vector>(labels_.data(), kN);
      Matrix X = read_npy_matrix(file("x.npy"));
      const Vector phi = features(X);
      const auto inverse = Phi.completeOrthogonalDecomposition();
      const Vector theta = inverse.solve(Y), projected = phi - inverse.pseudoInverse() * (Phi * phi);
      const Vector along = training == "retrain" ? projected : phi;
      const Vector learnt = theta + along * (1 - phi.dot(theta)) / along.squaredNorm();
      const NpyArray delta = read_npy(file("delta.npy"));
      ASSERT_EQ(delta.shape, std::vector<Index>{kD});
      X.row(3) += Eigen::Map<const Vector>(delta.values.data(), kD).transpose();
      const Vector moved = features(X);

      EXPECT_NEAR(row["output_before"], phi.dot(theta), 1e-9);
      EXPECT_NEAR(row["output_after"], 1, 1e-9);
      EXPECT_NEAR(row["perturbed_before"], moved.dot(theta), 1e-9);
      EXPECT_NEAR(row["perturbed_after"], moved.dot(learnt), 1e-9);
      EXPECT_NEAR(row["alignment"], moved.dot(along) / along.squaredNorm(), 1e-9);
      EXPECT_NEAR(row["error"], std::pow(moved.dot(learnt) + 1, 2), 1e-8);
      EXPECT_LE(row["delta_norm"], std::sqrt(7.0) * (1 + 1e-12));
      EXPECT_EQ(row["train_size"], kN);
    }
}

TEST_F(ExplicitGeneralize, DrawsFromAPoolOfYourOwn) {
  const ProgramResult result =
      run_wordsway({"generalize", "--map", "raf", "--pool", file("X.npy"), "--labels", file("y.npy"), "--train-size",
                    "5", "--trials", "3", "--format", "jsonl", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_lines(result.out).size(), 12);
}

TEST_F(ExplicitGeneralize, TakesLabelsWrittenAsWholeNumbers) {
  const ProgramResult expected = run_wordsway(arguments({"--format", "csv"}));
  std::ofstream out(file("y.npy"), std::ios::binary);
  std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (9,), }";
  header.resize(117, ' ');
  out << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n';
  for (const double label : labels_) out << static_cast<char>(label);
  out.close();
  const ProgramResult result = run_wordsway(arguments({"--format", "csv"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto without_seconds = [](const std::string& csv) { return csv.substr(0, csv.rfind(",")); };
  EXPECT_EQ(without_seconds(result.out).substr(0, 250), without_seconds(expected.out).substr(0, 250));
}

TEST_F(ExplicitGeneralize, TakesANegativeLabel) {
  auto call = arguments({"--format", "jsonl"});
  *(std::find(call.begin(), call.end(), "--y") + 1) = "-1";
  const ProgramResult result = run_wordsway(call);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const Json& row : json_lines(result.out)) EXPECT_NEAR(row["output_after"], -1, 1e-9);
}

TEST_F(ExplicitGeneralize, SaysWhatIsWrongWithTheDataAndExitsWith3) {
  const auto expect_data_error = [&](const std::vector<std::string>& more, const std::string& words) {
    const ProgramResult result = run_wordsway(arguments(more));
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  };
  std::copy_n(values_.begin() + 2 * kTokens * kD, kTokens * kD, values_.begin());
  write_npy(file("X.npy"), std::span<const double>(values_), {kN, kTokens, kD});
  expect_data_error({}, "samples 0 and 2 have the same features");
  SetUp();
  labels_[4] = 2;
  write_npy(file("y.npy"), std::span<const double>(labels_.data(), kN), {kN});
  expect_data_error({}, "that of sample 4 is 2");
  write_npy(file("y.npy"), std::span<const double>(labels_.data(), 3), {3});
  expect_data_error({}, "a label for each of the 9 samples; got 3");
}

TEST_F(ExplicitGeneralize, RefusesContradictionsWith2) {
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{{"--delta-out", file("delta.npy")},
                                                                                    {"--pool", file("X.npy")},
                                                                                    {"--data", "sphere"},
                                                                                    {"--token", "5"},
                                                                                    {"--penalty", "-1"},
                                                                                    {"--training", "guess"},
                                                                                    {"--objective", "luck"},
                                                                                    {"--memory", "lots"},
                                                                                    {"--chart", "picture.txt"}}) {
    const ProgramResult result = run_wordsway(arguments(more));
    EXPECT_EQ(result.exit_code, 2) << more.front() << ": " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(file("delta.npy")));
  }
  EXPECT_EQ(run_wordsway({"generalize", "--x", file("x.npy"), "--y", "1"}).exit_code, 2);
}

TEST_F(ExplicitGeneralize, ExitsWith4WhenAFileCannotBeReadOrWritten) {
  EXPECT_EQ(
      run_wordsway(arguments({"--training", "retrain", "--objective", "error", "--delta-out", file("no/folder/d.npy")}))
          .exit_code,
      4);
  std::filesystem::remove(file("W.npy"));
  EXPECT_EQ(run_wordsway(arguments()).exit_code, 4);
}

// Ten short reviews whose labels are 0 and 1.
void write_corpus(const std::filesystem::path& path) {
  std::ofstream file(path);
  for (int k = 0; k < 10; ++k)
    file << Json{{"text", k % 2 ? std::to_string(k) + " is a wonderful film, and the music is lovely"
                                : std::to_string(k) + " is a dreadful film with a dull and empty plot"},
                 {"y", k % 2}}
                .dump()
         << "\n";
}

TEST(Generalize, ReadsTextsOfYourOwnThroughAModel) {
  const TemporaryFolder folder;
  const std::string corpus = folder.path("reviews.jsonl").string();
  write_corpus(corpus);
  const std::vector<std::string> arguments = {"generalize",   "-i", corpus,     "--n", "8",        "--d", "16",
                                              "--train-size", "6",  "--trials", "2",   "--format", "json"};
  const auto run = run_wordsway(arguments);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json study = Json::parse(run.out);
  EXPECT_EQ(study["config"]["data"], "builtin of " + corpus);
  ASSERT_EQ(study["rows"].size(), 8U);
  for (const Json& row : study["rows"]) {
    EXPECT_GT(row["condition"], 1);
    EXPECT_NEAR(std::abs(row["output_after"].get<double>()), 1, 1e-7) << "the new sample is learnt";
  }
  const auto more = run_wordsway({"generalize", "-i", corpus, "--n", "8", "--train-size", "10"});
  EXPECT_EQ(more.exit_code, 3);
  EXPECT_NE(more.err.find("there are 10"), std::string::npos) << more.err;
}

TEST(Generalize, TakesTheBuiltInReviewsByDefault) {
  const auto run = run_wordsway({"generalize", "--n", "6", "--d", "16", "--train-size", "8", "--trials", "1",
                                 "--training", "retrain", "--objective", "error", "--format", "json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Json::parse(run.out)["config"]["data"], "builtin");
  EXPECT_NE(run.err.find("data: builtin"), std::string::npos) << run.err;
}

TEST(Generalize, RefusesTextsTogetherWithOtherData) {
  for (const auto& more : std::vector<std::vector<std::string>>{{"-i", "x.txt", "--data", "sphere"},
                                                                {"-i", "x.txt", "--pool", "x.npy"},
                                                                {"-m", "builtin"},
                                                                {"--data", "builtin", "--label-rule", "coin"}}) {
    std::vector<std::string> arguments = {"generalize", "--n", "4"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_wordsway(arguments).exit_code, 2) << more.front() << " " << more.back();
  }
}

TEST(Generalize, RefusesAPrecisionWithoutADevice) {
  const auto precision = run_wordsway({"generalize", "--n", "4", "--precision", "bf16"});
  EXPECT_EQ(precision.exit_code, 2);
  EXPECT_NE(precision.err.find("needs --device cuda"), std::string::npos) << precision.err;
}

TEST(Generalize, RefusesADeviceThatIsNotThere) {
  if (cuda_is_built()) GTEST_SKIP() << "this build has CUDA in it";
  const auto device =
      run_wordsway({"generalize", "--data", "sphere", "--n", "4", "--d", "8", "--train-size", "5", "--device", "cuda"});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_NE(device.err.find("leave --device cpu"), std::string::npos) << device.err;
  EXPECT_EQ(device.out, "");
}

}  // namespace
}  // namespace wordsway::test
