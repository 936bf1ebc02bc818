// What the page asks is what the commands print.
#include <gmock/gmock.h>

#include "serve/page_files.h"
#include "serve/server_on_thread.h"
#include "support/bytes.h"
#include "support/run_program.h"
#include "wordsway/core/error.h"

namespace wordsway::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

// What a command prints as JSON.
json printed(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json", "--quiet"});
  const ProgramResult result = run_wordsway(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

struct Event {
  std::string name;
  json data;
};

std::vector<Event> events_of(const std::string& stream) {
  std::vector<Event> events;
  for (size_t begin = stream.find("event: "); begin != std::string::npos; begin = stream.find("event: ", begin + 1)) {
    const size_t line = stream.find('\n', begin), end = stream.find("\n\n", begin);
    events.push_back(
        {stream.substr(begin + 7, line - begin - 7), json::parse(stream.substr(line + 7, end - line - 7))});
  }
  return events;
}

class ServeEndpoints : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = new ServerOnThread; }
  static void TearDownTestSuite() { delete std::exchange(server_, nullptr); }

  static std::vector<Event> stream(const std::string& endpoint, const json& arguments) {
    const Answer answer = server_->ask("POST", "/api/" + endpoint, arguments.dump(), {{"Accept", "text/event-stream"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.header("Content-Type"), "text/event-stream");
    return events_of(answer.body);
  }

  // Status and sentence of a request that is refused.
  static std::pair<int, std::string> refused(const std::string& endpoint, const std::string& body) {
    const Answer answer = server_->ask("POST", "/api/" + endpoint, body);
    return {answer.status, answer.error()};
  }

  static inline ServerOnThread* server_ = nullptr;
};

TEST_F(ServeEndpoints, ModelsSaysWhatThereIsWithoutPaths) {
  const std::string body = server_->ask("GET", "/api/models").body;
  const json found = json::parse(body);
  EXPECT_EQ(found["version"], "1.2.3");
  ASSERT_EQ(found["models"].size(), 3);
  EXPECT_EQ(found["models"][0]["name"], "builtin");
  EXPECT_EQ(found["models"][0]["masked_head"], true);
  EXPECT_EQ(found["models"][1]["decoder"], true);
  EXPECT_EQ(found["models"][2]["name"], "llama");
  EXPECT_EQ(found["limits"]["text_bytes"], 131072);
  EXPECT_EQ(found["maps"].size(), printed({"list", "maps"}).size());
  EXPECT_EQ(found["presets"].size(), printed({"list", "presets"}).size());
  EXPECT_THAT(body, testing::Not(HasSubstr(source_folder().string())));
}

TEST_F(ServeEndpoints, AModelIsLoadedWhenItIsFirstAskedFor) {
  const ServerOnThread server;
  const auto entry = [&] { return json::parse(server.ask("GET", "/api/models").body)["models"][2]; };
  EXPECT_EQ(entry()["loaded"], false);
  EXPECT_EQ(server.post("load", {{"model", "llama"}})["architecture"], "llama");
  EXPECT_EQ(entry()["loaded"], true);
}

TEST_F(ServeEndpoints, TokenizeGivesWhatTheCommandPrints) {
  for (const char* text : {"I love her smile", "naïve Straße 😀 日本", "", "</script><b>\"quoted\" & 'so'"})
    EXPECT_EQ(server_->post("tokenize", {{"text", text}}), printed({"tokenize", text})) << text;
}

TEST_F(ServeEndpoints, WordsGivesWhatTheCommandPrintsAndRowsBefore) {
  const std::string text = "a good film";
  const auto events = stream("words", {{"text", text}, {"ball", "fast"}, {"seed", 3}});
  ASSERT_EQ(events.front().name, "started");
  ASSERT_EQ(events.back().name, "result");
  EXPECT_EQ(events.back().data, printed({"words", text, "--fast", "--seed", "3"}));
  // Each word first with `typical` alone, the same number as at the end.
  std::vector<json> rows;
  for (const Event& event : events)
    if (event.name == "row") rows.push_back(event.data);
  ASSERT_EQ(rows.size(), 9);
  for (size_t w = 0; w < 3; ++w) {
    EXPECT_TRUE(rows[w]["worst_word"].is_null());
    EXPECT_EQ(rows[w]["typical"], events.back().data["rows"][w]["typical"]);
    EXPECT_EQ(rows[6 + w], events.back().data["rows"][w]);
  }
}

TEST_F(ServeEndpoints, SubstituteGivesWhatTheCommandPrints) {
  EXPECT_EQ(server_->post("substitute", {{"text", "a good film"}, {"word", "good"}, {"evaluations", 70}, {"top", 3}}),
            printed({"substitute", "a good film", "--word", "good", "--evaluations", "70", "--top", "3"}));
  EXPECT_EQ(server_->post("substitute", {{"text", "a good film"}, {"token", 2}, {"candidates", "plausible"}}),
            printed({"substitute", "a good film", "--token", "2", "--candidates", "plausible"}));
}

TEST_F(ServeEndpoints, LayersGivesWhatTheCommandPrints) {
  EXPECT_EQ(
      server_->post("layers", {{"text", "a good film"}, {"token", 2}, {"move", {"attract", "noise"}}, {"draws", 2}}),
      printed({"layers", "a good film", "--token", "2", "--direction", "attract,noise", "--draws", "2"}));
}

TEST_F(ServeEndpoints, LayersOfAChangedTextBeginAtItsFirstToken) {
  const json rows = server_->post("layers", {{"text", "a good film"}, {"changed", "a bad film"}});
  ASSERT_EQ(rows.size(), 5);
  EXPECT_EQ(rows[0]["token"], 2);
  EXPECT_GT(rows[4]["change"], 0);
  for (const json& row : server_->post("layers", {{"text", "a good film"}, {"changed", "a good film"}}))
    EXPECT_EQ(row["change"], 0);
}

TEST_F(ServeEndpoints, AttentionGivesWhatTheCommandPrintsInFourDigits) {
  const json found =
      server_->post("attention", {{"text", "a good film"}, {"layer", 2}, {"head", 1}, {"token", 2}, {"move", "noise"}});
  const json expected =
      printed({"attention", "a good film", "--layer", "2", "--head", "1", "--token", "2", "--direction", "noise"});
  for (const char* key : {"text", "layer", "head", "pieces", "token", "direction"})
    EXPECT_EQ(found[key], expected[key]);
  for (const char* key : {"attention", "attention_after"})
    for (size_t r = 0; r < 5; ++r)
      for (size_t c = 0; c < 5; ++c)
        EXPECT_NEAR(found[key][r][c].get<double>(), expected[key][r][c].get<double>(), 6e-5);
  EXPECT_EQ(found["reduced"], false);
}

TEST_F(ServeEndpoints, AttentionOfAllLayersAndHeadsIsNestedAndReducedByMaxima) {
  const json all = server_->post("attention", {{"text", "a good film"}, {"layer", "all"}, {"head", "all"}});
  EXPECT_EQ(all["attention"].size(), 4);
  EXPECT_EQ(all["attention"][3].size(), 4);
  EXPECT_EQ(all["attention"][3][0].size(), 5);
  const json one = server_->post("attention", {{"text", "a good film"}, {"layer", 4}, {"head", 0}});
  EXPECT_EQ(one["attention"], all["attention"][3][0]);
  const json small = server_->post("attention", {{"text", "a good film"}, {"layer", 4}, {"head", 0}, {"size", 3}});
  EXPECT_EQ(small["reduced"], true);
  EXPECT_EQ(small["block"], 2);
  ASSERT_EQ(small["attention"].size(), 3);
  const json& square = one["attention"];
  double largest = 0;
  for (const size_t r : {2, 3})
    for (const size_t c : {0, 1}) largest = std::max(largest, square[r][c].get<double>());
  EXPECT_EQ(small["attention"][1][0], largest);
}

TEST_F(ServeEndpoints, AttentionOfAChangedTextHasItsOwnPieces) {
  const json found = server_->post("attention", {{"text", "a good film"}, {"changed", "a very good film"}});
  EXPECT_EQ(found["pieces"].size(), 5);
  EXPECT_EQ(found["pieces_after"].size(), 6);
  EXPECT_EQ(found["attention_after"].size(), 6);
}

TEST_F(ServeEndpoints, PairsGivesWhatTheCommandPrints) {
  const json found =
      server_->post("pairs", {{"a", "enable dark mode"}, {"b", "disable dark mode"}, {"preset", "redisvl"}});
  EXPECT_EQ(found, printed({"pairs", "enable dark mode", "disable dark mode", "--preset", "redisvl"}));
  const json file = server_->post("pairs", {{"content", "anchor,changed,control\na good film,a bad film,a fine film\n"},
                                            {"threshold", 0.9},
                                            {"unit", "cosine"}});
  EXPECT_EQ(file["rows"].size(), 1);
  EXPECT_EQ(file["config"]["threshold"], 0.9);
  const json lines =
      server_->post("pairs", {{"content", "a good film\na bad film\n\na good film\n"}, {"format", "txt"}});
  EXPECT_EQ(lines["config"]["pairs"], 1);
}

TEST_F(ServeEndpoints, AnswersAndGenerateGiveWhatTheCommandsPrint) {
  const auto without_time = [](json row) {
    row.erase("seconds");
    row.erase("tokens_per_second");
    return row;
  };
  const auto events =
      stream("answers", {{"a", "The film was good."}, {"b", "The film was bad."}, {"max_new_tokens", 4}});
  const json expected = printed({"answers", "The film was good.", "The film was bad.", "--max-new-tokens", "4"});
  const json& found = events.back().data;
  std::string written;
  for (const Event& event : events)
    if (event.name == "token" && event.data["side"] == "b") written += event.data["text"];
  EXPECT_EQ(written, found["b"]["text"]);
  for (const char* side : {"a", "b"}) EXPECT_EQ(without_time(found[side]), without_time(expected[side]));
  EXPECT_EQ(found["divergence"], expected["divergence"]);
  EXPECT_EQ(found["tokens_a"].size(), found["a"]["ids"].size());
  EXPECT_EQ(without_time(server_->post("generate", {{"prompt", "The film"}, {"max_new_tokens", 3}})),
            without_time(printed({"generate", "The film", "--max-new-tokens", "3"})));
}

TEST_F(ServeEndpoints, MeasureGivesWhatTheCommandPrints) {
  const auto without_time = [](json rows) {
    for (json& row : rows) row.erase("seconds");
    return rows;
  };
  const auto events =
      stream("measure", {{"map", "raf"}, {"n", {4, 6}}, {"d", 8}, {"beta", 2}, {"trials", 2}, {"data", "sphere"}});
  const json expected = printed(
      {"measure", "--map", "raf", "--n", "4,6", "--d", "8", "--beta", "2", "--trials", "2", "--data", "sphere"});
  EXPECT_EQ(without_time(events.back().data["rows"]), without_time(expected["rows"]));
  EXPECT_EQ(events.back().data["config"], expected["config"]);
  EXPECT_EQ(std::ranges::count(events, "row", &Event::name), 4);
}

TEST_F(ServeEndpoints, MistakesAreSentencesOfTheLibrary) {
  EXPECT_EQ(refused("words", "{").first, 400);
  EXPECT_THAT(refused("words", "{}").second, HasSubstr("there is no text"));
  EXPECT_THAT(refused("words", R"({"text": "a", "colour": 1})").second, HasSubstr("unknown key \"colour\""));
  EXPECT_THAT(refused("words", R"({"text": "a", "model": "/etc/passwd"})").second, HasSubstr("there is no model"));
  EXPECT_THAT(refused("words", R"({"text": "a", "layer": 99})").second, HasSubstr("99"));
  EXPECT_THAT(refused("layers", R"({"text": "a", "token": 99})").second, HasSubstr("token 99 is out of range"));
  EXPECT_THAT(refused("substitute", R"({"text": "a b", "word": "c"})").second, HasSubstr("no word 'c'"));
  EXPECT_THAT(refused("pairs", R"({"a": "x", "b": "y", "threshold": 0.9})").second, HasSubstr("of what?"));
  EXPECT_THAT(refused("pairs", R"({"a": "x"})").second, HasSubstr("give both texts"));
  EXPECT_EQ(refused("pairs", R"({"content": "anchor\nx\n"})").first, 422);
  EXPECT_THAT(refused("answers", R"({"model": "builtin"})").second, HasSubstr("encoder"));
  EXPECT_THAT(refused("measure", R"({"map": "nothing"})").second, HasSubstr("nothing"));
  EXPECT_THAT(refused("measure", R"({"n": 5000})").second, HasSubstr("n must lie between 1 and 2000, but is 5000"));
  EXPECT_THAT(refused("measure", R"({"map": "rf", "beta": 1})").second, HasSubstr("beta"));
  EXPECT_THAT(refused("measure", R"({"data": "/etc/passwd"})").second, HasSubstr("/etc/passwd"));
  const auto events = stream("layers", {{"text", "a"}, {"token", 99}});
  EXPECT_EQ(events.back().name, "error");
  EXPECT_EQ(events.back().data["kind"], "usage");
}

TEST_F(ServeEndpoints, HostileTextsAreTextsOrSentences) {
  const std::string nul = std::string("a ") + '\0' + " b", long_text(100'000, 'x');
  std::string words;
  for (int k = 0; k < 20'000; ++k) words += "very ";
  for (const std::string& text :
       {nul, long_text, words, std::string("\u202e\u0000"), std::string("𝔘𝔫𝔦 e\u0301\u200d👩‍👩‍👧"),
        std::string("</script><script>alert(1)</script>"), std::string("\r\nevent: result\ndata: 1\n\n")}) {
    const Answer tokens = server_->ask("POST", "/api/tokenize", json{{"text", text}}.dump());
    EXPECT_EQ(tokens.status, 200);
    EXPECT_NO_THROW(json::parse(tokens.body));
    const auto events = stream("layers", {{"text", text}, {"move", "attract"}, {"token", 0}});
    EXPECT_THAT(events.back().name, testing::AnyOf("result", "error"));
  }
  EXPECT_EQ(refused("tokenize", "{\"text\": \"\xff\xfe\"}").first, 400);
  EXPECT_THAT(refused("tokenize", json{{"text", std::string(200'000, 'x')}}.dump()).second,
              HasSubstr("at most 131072"));
}

TEST_F(ServeEndpoints, ASecondTabWaitsAndIsToldAndAClientThatGoesStopsItsJob) {
  std::string long_text;
  for (int k = 0; k < 60; ++k) long_text += "turn off the dark mode please ";
  const auto begin = [&](const std::string& tab, const json& arguments) {
    RawClient client = server_->connect();
    client.send(server_->request("POST", "/api/words", arguments.dump(),
                                 {{"Accept", "text/event-stream"}, {"X-Wordsway-Tab", tab}}));
    return client;
  };
  RawClient first = begin("1", {{"text", long_text}, {"ball", "full"}});
  first.receive("event: started");
  RawClient second = begin("2", {{"text", "film"}, {"ball", "none"}});
  EXPECT_THAT(second.receive("event: queued"), HasSubstr("{\"before\": 1}"));
  EXPECT_THAT(first.receive("\n:\n"), HasSubstr("\n:\n")) << "a sign of life";
  first.close();
  EXPECT_THAT(second.receive(), HasSubstr("event: result"));
  // A newer one of the same tab.
  RawClient older = begin("1", {{"text", long_text}, {"ball", "full"}});
  older.receive("event: started");
  RawClient newer = begin("1", {{"text", "film"}, {"ball", "none"}});
  EXPECT_THAT(older.receive(), HasSubstr("\"kind\": \"stopped\""));
  EXPECT_THAT(newer.receive(), HasSubstr("event: result"));
}

TEST_F(ServeEndpoints, TheFilesOfThePageAreServedAsTheyAre) {
  size_t total = 0, files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / "app/page")) {
    const std::string name = entry.path().filename().string(), content = read_bytes(entry.path());
    const std::string path = name == "index.html" ? "/" : "/" + name;
    const Answer plain = server_->ask("GET", path);
    EXPECT_EQ(plain.status, 200) << name;
    EXPECT_EQ(plain.body, content) << name;
    const Answer packed = server_->ask("GET", path, "", {{"Accept-Encoding", "gzip, br"}});
    EXPECT_EQ(packed.header("Content-Encoding"), "gzip");
    EXPECT_LT(packed.body.size(), content.size() + 64);
    EXPECT_EQ(server_->ask("GET", path, "", {{"If-None-Match", plain.header("ETag")}}).status, 304);
    EXPECT_EQ(
        server_->ask("GET", path, "", {{"If-None-Match", packed.header("ETag")}, {"Accept-Encoding", "gzip"}}).status,
        304);
    EXPECT_EQ(server_->ask("GET", path, "", {{"If-None-Match", "\"other\""}}).status, 200);
    total += content.size();
    ++files;
  }
  EXPECT_EQ(files, serve::page_files().size());
  EXPECT_LE(total, 100 * 1024);
}

TEST(ServedModels, NamesAreTheLastPartsOfPathsAndDifferent) {
  std::vector<std::string> names;
  for (const auto& place : serve::named_places({"/a/bert", "/b/bert/", "/c/x.gguf", "/"}, {{"bert", "/z"}}))
    names.push_back(place.name);
  EXPECT_THAT(names, ElementsAre("bert", "bert-2", "bert-3", "x.gguf", "model"));
}

TEST(ServedModels, AModelThatCannotBeReadSaysSoEachTimeWithoutItsPath) {
  const serve::ServedModels models(std::vector<serve::ModelPlace>{{"gone", "/nowhere/at/all"}});
  for (int k = 0; k < 2; ++k) {
    try {
      models.get("gone");
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("gone"));
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("/nowhere")));
    }
  }
}

}  // namespace
}  // namespace wordsway::test
