// A file dropped into its folder is offered, explained, checked and answered by every front end, without another line.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "serve/server_on_thread.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ProgramResult run_dropin(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), WORDSWAY_DROPIN_PROGRAM);
  return RunningProgram(std::move(arguments)).finish();
}

std::string printed(std::vector<std::string> arguments) {
  const ProgramResult result = run_dropin(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

std::string refused(std::vector<std::string> arguments) {
  const ProgramResult result = run_dropin(std::move(arguments));
  EXPECT_EQ(result.exit_code, 2);
  return result.err;
}

std::string measured(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "measure");
  arguments.insert(arguments.end(), {"--n", "4,6,8", "--d", "5", "--trials", "1", "--data", "sphere"});
  return printed(std::move(arguments));
}

TEST(DroppedInMap, IsListed) {
  EXPECT_THAT(run_wordsway({"list", "maps"}).out, Not(ContainsRegex("dropped-in|raf-power")));
  const std::string maps = printed({"list", "maps"});
  EXPECT_THAT(maps, ContainsRegex("dropped-in[^\n]*the tokens themselves"));
  EXPECT_THAT(maps, ContainsRegex("raf-power[^\n]*powers of positive scores"));
}

TEST(DroppedInMap, ItsParametersAreFlagsAndColumns) {
  const std::string help = printed({"measure", "--help"});
  EXPECT_THAT(help, ContainsRegex("--power [^\n]*Power of the scores in raf-power[^-]*-separated[^-]*.3."));
  EXPECT_THAT(help, ContainsRegex("--activation [^\n]*(\n[^\n]*)?erf"));
  const std::string rows =
      measured({"--map", "raf-power,rf", "--power", "1,2", "--activation", "erf", "--format", "csv"});
  EXPECT_THAT(rows, StartsWith("map,n,d,depth,width,activation,beta,power,random,trial,seed"));
  EXPECT_THAT(rows, HasSubstr("\nraf-power,4,5,,,,,2.0,dense"));
  EXPECT_THAT(rows, HasSubstr("\nrf,8,5,,40,erf,,,deferred"));
  EXPECT_THAT(measured({"--map", "raf-power", "--power", "1,2"}),
              ContainsRegex("power = 1: S scales[^\n]*\n[^\n]*power = 2: S scales"));
  EXPECT_THAT(measured({"--map", "raf", "--format", "csv"}), StartsWith("map,n,d,depth,width,activation,beta,random"))
      << "rows of other maps stay as they were";
  EXPECT_THAT(refused({"measure", "--map", "rf", "--power", "2"}), HasSubstr("--power has no meaning for rf"));
}

TEST(DroppedInLaw, IsListedDrawnFromAndChecked) {
  EXPECT_THAT(printed({"list", "data"}), ContainsRegex("topics:S[^\n]*near one of two directions"));
  printed({"measure", "--map", "raf", "--data", "topics:0.5", "--n", "4", "--d", "5", "--trials", "1"});
  EXPECT_THAT(refused({"measure", "--map", "raf", "--data", "topics:2"}),
              HasSubstr("S in topics:S must be a number from 0 to 1"));
}

const std::vector<std::string> kOrder = {"order", "The dog bit the man.", "Nothing else matters", "--draws", "5"};

std::vector<std::string> order(std::vector<std::string> more) {
  std::vector<std::string> arguments = kOrder;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(DroppedInQuestion, IsACommandWithHelp) {
  EXPECT_THAT(printed({"--help"}), ContainsRegex("order +Whether the order of a text's words matters"));
  const std::string help = printed({"order", "--help"});
  EXPECT_THAT(help, ContainsRegex("--draws [^\n]*How many random orders of the words to try"));
  EXPECT_THAT(help, HasSubstr("cosine compares a text with random orders"));
  EXPECT_THAT(help, HasSubstr("--dry-run"));
  EXPECT_THAT(printed({"list", "questions"}), ContainsRegex("order +Whether the order"));
}

TEST(DroppedInQuestion, AnswersInTheShell) {
  const json rows = json::parse(printed(order({"--format", "json", "--quiet"})));
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0]["words"], 5);
  EXPECT_GT(rows[0]["cosine"], 0.2);
  EXPECT_LT(rows[0]["cosine"], 0.99999);
  EXPECT_LE(rows[0]["least"], rows[0]["cosine"]);
  EXPECT_THAT(refused({"order", "a b", "--draws", "0"}), HasSubstr("--draws must lie between 1 and 1000"));
  EXPECT_THAT(refused({"order", "a b", "--drows", "3"}), HasSubstr("--draws"));
}

TEST(DroppedInQuestion, HasAJournalAndADryRun) {
  const TemporaryFolder folder;
  const std::string journal = folder.path("order.jsonl").string();
  const std::string first = printed(order({"--out", journal, "--format", "json", "--quiet"}));
  EXPECT_EQ(printed(order({"--out", journal, "--format", "json", "--quiet"})), first);
  EXPECT_THAT(refused({"order", "The dog bit the man.", "Nothing else matters", "--draws", "6", "--out", journal}),
              HasSubstr("draws"));
  EXPECT_THAT(printed(order({"--dry-run"})), HasSubstr("2"));
}

TEST(DroppedInQuestion, AnswersOverHttpWhatTheShellPrints) {
  const ServerOnThread server;
  const json rows = server.post("order", {{"text", "The dog bit the man."}, {"draws", 5}});
  const json expected =
      json::parse(printed({"order", "The dog bit the man.", "--draws", "5", "--format", "json", "--quiet"}));
  EXPECT_EQ(rows, expected);
  const auto answer = server.ask("POST", "/api/order", json{{"text", "a b"}, {"draws", 0}}.dump());
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.error(), HasSubstr("draws must lie between 1 and 1000"));
}

}  // namespace
}  // namespace wordsway::test
