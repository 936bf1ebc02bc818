// wordsway pairs, as users and their jobs call it.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/bytes.h"
#include "support/environment.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"

namespace wordsway::test {
namespace {

using json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PairsCommand : public testing::Test {
 protected:
  PairsCommand() {
    write_bytes(pairs_,
                "anchor,changed,control,class\n"
                "turn on the light,turn off the light,switch the lamp on,state\n"
                "it ends before noon,it ends after noon,it is over in the morning,time\n"
                "i saw the film,i saw the movie,i watched that picture,neutral\n");
  }

  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "pairs");
    return run_wordsway(arguments);
  }
  json json_of(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--format", "json", "--quiet"});
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
  void expect_refused(const std::vector<std::string>& arguments, int code, const std::string& why) const {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, code) << result.out;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_THAT(result.out, IsEmpty());
  }
  std::string path(const std::string& name) const { return folder_.path(name).string(); }

  TemporaryFolder folder_;
  std::string model_ = (source_folder() / "tests/golden/sentence/bert-cls-dense").string(), pairs_ = path("pairs.csv");
};

TEST_F(PairsCommand, PrintsAnAuditOfOnesOwnPairs) {
  const json found = json_of({pairs_, "-m", model_, "--threshold", "0.9", "--unit", "cosine"});
  EXPECT_EQ(found["config"]["threshold"], 0.9);
  EXPECT_EQ(found["config"]["unit"], "cosine");
  EXPECT_EQ(found["rows"].size(), 3U);
  EXPECT_EQ(found["rows"][0]["words"], json::array({"on", "off"}));
  EXPECT_EQ(found["rows"][0]["class"], "state");
  EXPECT_EQ(found["rows"][1]["merged"], found["rows"][1]["similarity"] >= 0.9);
  EXPECT_EQ(found["classes"].size(), 4U);
  EXPECT_EQ(found["classes"][0]["class"], "all");
  EXPECT_EQ(found["classes"][0]["pairs"], 2);
  EXPECT_TRUE(found["verdict"]["passed"].is_null());
  const ProgramResult table = run({pairs_, "-m", model_, "--preset", "redisvl"});
  EXPECT_THAT(table.out,
              AllOf(HasSubstr("class"), HasSubstr("state"), HasSubstr("distance ≤ 0.1"), HasSubstr("Most similar")));
  EXPECT_THAT(run({pairs_, "--format", "csv", "--quiet"}).out,
              HasSubstr("class,anchor,changed,control,words,similarity"));
}

TEST_F(PairsCommand, MeansTheSameInEveryUnit) {
  const json cosine = json_of({pairs_, "--threshold", "0.9", "--unit", "cosine"});
  for (const auto& [threshold, unit] :
       std::vector<std::pair<const char*, const char*>>{{"0.1", "distance"}, {"0.95", "score01"}, {"0.2", "l2sq"}})
    EXPECT_EQ(json_of({pairs_, "--threshold", threshold, "--unit", unit})["rows"], cosine["rows"]) << unit;
  EXPECT_EQ(json_of({pairs_, "--preset", "upstash"})["rows"], cosine["rows"]);
  const ProgramResult presets = run_wordsway({"list", "presets", "--format", "csv"});
  EXPECT_THAT(presets.out, AllOf(HasSubstr("gptcache,0.8,l2sq,0.6"), HasSubstr("redisvl,0.1,distance,0.9")));
}

TEST_F(PairsCommand, AsksBackWhatIsNotClear) {
  expect_refused({pairs_, "--threshold", "0.9"}, 2, "of what? give --unit");
  expect_refused({pairs_, "--unit", "cosine"}, 2, "--threshold, which is not given");
  expect_refused({pairs_, "--threshold", "0.9", "--unit", "cosine", "--preset", "redisvl"}, 2, "not both");
  expect_refused({pairs_, "--preset", "redisv"}, 2, "did you mean 'redisvl'");
  expect_refused({pairs_, "--threshold", "3", "--unit", "cosine"}, 2, "from -1 to 1");
  expect_refused({pairs_, "--max-false-merges", "2"}, 2, "--max-false-merges must lie between 0 and 1");
  expect_refused({"a", "b", "c"}, 2, "two texts to compare");
  expect_refused({"turn it on"}, 2, "give both of them in quotes");
  expect_refused({pairs_, "--all", pairs_}, 2, "not both");
  expect_refused({pairs_, "-m", model_, "--vectors", "x.npy"}, 2, "takes the place of -m");
  expect_refused({path("none.csv")}, 4, "none.csv");
  write_bytes(path("bad.csv"), "anchor,changed,labels\na,b,c\n");
  expect_refused({path("bad.csv")}, 3, "anchor, changed, control, class");
  EXPECT_THAT(run({pairs_}).err, HasSubstr("no threshold was given: cosine ≥ 0.8"));
}

TEST_F(PairsCommand, ComparesTwoTexts) {
  const json row = json_of({"turn it on, please", "turn it off, please", "-m", model_});
  EXPECT_EQ(row["words"], json::array({"on", "off"}));
  EXPECT_EQ(row["steps"].size(), 5U);
  EXPECT_EQ(row["similarities"].back(), row["similarity"]);
  EXPECT_THAT(run({"turn it on", "turn it on", "-m", model_}).out, HasSubstr("cosine 1.0000: the texts merge"));
}

TEST_F(PairsCommand, FailsWithTheSentenceAndWritesEverything) {
  const std::string junit = path("pairs.xml"), page = path("pairs.html"), summary = path("summary.md");
  const EnvironmentVariable variable("GITHUB_STEP_SUMMARY", summary);
  const ProgramResult result = run({pairs_, "--threshold", "-1", "--unit", "cosine", "--max-false-merges", "0.01",
                                    "--junit", junit, "--html", page, "--github", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("wordsway: false merges: 2 of 2, 100%"), HasSubstr("::error file="),
                                HasSubstr("line=2,")));
  EXPECT_EQ(json::parse(result.out)["verdict"]["passed"], false);
  EXPECT_THAT(read_bytes(junit), HasSubstr("failures=\"3\""));
  EXPECT_THAT(read_bytes(page), HasSubstr("outcome bad"));
  EXPECT_THAT(read_bytes(summary), HasSubstr("a rule is broken"));
  const ProgramResult good = run({pairs_, "--threshold", "-1", "--unit", "cosine", "--min-kept", "0.5", "--quiet"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("holds  paraphrases kept: 2 of 2"));
  EXPECT_THAT(run({pairs_, "--junit", junit}).err, HasSubstr("no rule was given, so nothing can fail"));
}

TEST_F(PairsCommand, TakesVectorsMadeElsewhere) {
  ASSERT_EQ(run({pairs_, "--texts-out", path("texts.txt")}).exit_code, 0);
  const std::string texts = read_bytes(path("texts.txt"));
  EXPECT_THAT(texts, testing::StartsWith("turn on the light\nturn off the light\nswitch the lamp on\n"));
  EXPECT_EQ(std::count(texts.begin(), texts.end(), '\n'), 9);
  ASSERT_EQ(run_wordsway({"embed", "-m", model_, "--pool", "model", "-i", path("texts.txt"), "--out", path("v.npy")})
                .exit_code,
            0);
  const json mine = json_of({pairs_, "-m", model_}), given = json_of({pairs_, "--vectors", path("v.npy")});
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(mine["rows"][k]["similarity"].get<double>(), given["rows"][k]["similarity"].get<double>(), 1e-6);
    EXPECT_TRUE(given["rows"][k]["lost_at"].is_null());
  }
  expect_refused({"--vectors", path("v.npy")}, 3, "9 vectors for");
  write_bytes(path("lines.jsonl"), "{\"anchor\": \"one\\ntwo\", \"changed\": \"b\"}\n");
  expect_refused({path("lines.jsonl"), "--texts-out", path("t.txt")}, 3, "several lines");
  EXPECT_EQ(run({path("lines.jsonl"), "--texts-out", path("t.jsonl")}).exit_code, 0);
}

TEST_F(PairsCommand, FailsWhenVectorsAreAllTheSameOrShuffled) {
  const std::vector<std::string> rules = {"--threshold",        "0.9", "--unit",     "cosine",
                                          "--max-false-merges", "0.1", "--min-kept", "0.9"};
  const auto verdict = [&](const Matrix& vectors) {
    write_npy(path("v.npy"), vectors);
    std::vector<std::string> arguments = {pairs_, "--vectors", path("v.npy")};
    arguments.insert(arguments.end(), rules.begin(), rules.end());
    return run(arguments).exit_code;
  };
  Matrix good = Matrix::Zero(9, 9);  // anchor and control alike, the changed text of its own
  for (Index pair = 0; pair < 3; ++pair)
    for (Index k = 0; k < 3; ++k) good(3 * pair + k, 3 * pair + (k == 1 ? 1 : 0)) = 1;
  EXPECT_EQ(verdict(good), 0);
  EXPECT_EQ(verdict(Matrix::Ones(9, 9)), 1);
  Matrix shuffled = good;
  for (Index k = 0; k < 9; ++k) shuffled.row(k) = good.row((k * 4) % 9);
  EXPECT_EQ(verdict(shuffled), 1);
}

TEST_F(PairsCommand, ComparesWithAnEarlierRun) {
  ASSERT_EQ(run({pairs_, "-m", model_, "--json", path("base.json"), "--quiet"}).exit_code, 0);
  const ProgramResult same = run({pairs_, "-m", model_, "--baseline", path("base.json")});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("no class is worse than in the baseline"));
  expect_refused({"--baseline", path("none.json")}, 4, "none.json");
  write_bytes(path("broken.json"), "{\"rows\": [");
  expect_refused({pairs_, "--baseline", path("broken.json")}, 3, "broken.json");
}

TEST_F(PairsCommand, KeepsEveryTwoLinesApart) {
  write_bytes(path("texts.txt"), "turn it on\nturn it off\n\nturn it on\nwhere is my order\n");
  const ProgramResult strict = run({"--all", path("texts.txt"), "--threshold", "-1", "--unit", "cosine"});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.err, AllOf(HasSubstr("2 of 5 lines"), HasSubstr("false merges: 3 of 3")));
  const ProgramResult apart =
      run({"--all", path("texts.txt"), "--threshold", "1", "--unit", "cosine", "--format", "json"});
  EXPECT_EQ(apart.exit_code, 0) << apart.err;
  EXPECT_THAT(json::parse(apart.out)["rows"], IsEmpty());
  EXPECT_EQ(json::parse(apart.out)["classes"][0]["pairs"], 3);
}

TEST_F(PairsCommand, SaysThatTextsWereCut) {
  std::string endless;
  for (int k = 0; k < 600; ++k) endless += "word ";
  write_bytes(path("long.csv"), "anchor,changed\n" + endless + "on," + endless + "off\n");
  EXPECT_THAT(run({path("long.csv")}).err, HasSubstr("cut"));
  EXPECT_THAT(run({pairs_}).err, Not(HasSubstr("cut")));
}

TEST_F(PairsCommand, HasTheSameBytesWithAnyThreads) {
  const auto bytes = [&](const char* threads) {
    return run({"-m", model_, "--format", "json", "--quiet", "--threads", threads}).out;
  };
  EXPECT_EQ(bytes("1"), bytes("3"));
}

TEST_F(PairsCommand, DrawsWherePairsAreLost) {
  const ProgramResult result = run({pairs_, "-m", model_, "--chart", path("lost.svg")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read_bytes(path("lost.svg")), AllOf(HasSubstr("layer 1"), HasSubstr("neutral")));
  write_bytes(path("neutral.csv"), "anchor,changed,class\na film,a movie,neutral\n");
  EXPECT_EQ(run({path("neutral.csv"), "-m", model_, "--chart", path("neutral.svg")}).exit_code, 0);
  write_bytes(path("texts.txt"), "one\ntwo\n");
  expect_refused({"--all", path("texts.txt"), "--chart", path("lost.svg")}, 2,
                 "a chart shows where a model loses pairs");
}

}  // namespace
}  // namespace wordsway::test
