// Texts that a decoder writes, from the command line: generate and answers.
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "support/xml_check.h"

namespace wordsway::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string& decoder() {
  static const std::string folder = (source_folder() / "tests/golden/generation/llama").string();
  return folder;
}

const Json& golden() {
  static const Json expected = Json::parse(std::ifstream(source_folder() / "tests/golden/generation/expected.json"));
  return expected;
}

std::vector<std::string> output_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

ProgramResult run_decoder(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"-m", decoder()});
  return run_wordsway(std::move(arguments));
}

Json json_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const ProgramResult result = run_decoder(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return Json::parse(result.out, nullptr, false);
}

// What a program writes to a terminal.
ProgramResult on_terminal(std::vector<std::string> arguments) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_GE(terminal, 0);
  EXPECT_EQ(grantpt(terminal), 0);
  EXPECT_EQ(unlockpt(terminal), 0);
  const std::string name = ptsname(terminal);
  const int inside = open(name.c_str(), O_RDWR | O_NOCTTY);  // what was written stays until this is closed
  arguments.insert(arguments.end(), {"-m", decoder()});
  std::vector<std::string> command = wordsway_command(std::move(arguments));
  command.insert(command.begin(), {"sh", "-c", "exec \"$0\" \"$@\" > " + name});
  RunningProgram program(command);
  ProgramResult result = program.finish();
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  for (char buffer[4096];;) {
    const ssize_t count = read(terminal, buffer, sizeof buffer);
    if (count <= 0) break;
    result.out.append(buffer, static_cast<size_t>(count));
  }
  close(inside);
  close(terminal);
  std::erase(result.out, '\r');
  return result;
}

TEST(Generate, WritesWhatTransformersWrites) {
  for (const Json& expected : golden().at("prompts")) {
    const Json found = json_of({"generate", expected.at("prompt"), "--max-new-tokens", "32"});
    for (const char* key : {"prompt", "prompt_ids", "ids", "text"}) EXPECT_EQ(found.at(key), expected.at(key)) << key;
    EXPECT_EQ(found.at("finished"), false);
    EXPECT_GT(found.at("seconds"), 0);
    EXPECT_GT(found.at("tokens_per_second"), 0);
  }
}

TEST(Generate, PrintsAnObjectForOnePromptAndAListForSeveral) {
  const Json one = json_of({"generate", "a, [b]"});
  EXPECT_EQ(one.at("prompt"), "a, [b]");
  EXPECT_EQ(one.at("ids").size(), 64U);
  const Json two = json_of({"generate", "a", "b", "--max-new-tokens", "2"});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1].at("prompt"), "b");
  const TemporaryFolder folder;
  write_bytes(folder.path("prompts.txt"), "the film\na, [b]\n");
  const std::string prompts = folder.path("prompts.txt").string();
  const auto lines = output_lines(run_decoder({"generate", "-i", prompts, "--format", "jsonl"}).out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(Json::parse(lines[1]).at("text"), one.at("text"));
  const auto rows =
      output_lines(run_decoder({"generate", "-i", prompts, "--format", "csv", "--max-new-tokens", "1"}).out);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0], "prompt,prompt_ids,ids,text,finished,seconds,tokens_per_second");
  EXPECT_THAT(rows[2], AllOf(StartsWith("\"a, [b]\","), EndsWith(",")));
  const auto table = output_lines(run_decoder({"generate", "-i", prompts, "--max-new-tokens", "3"}).out);
  EXPECT_THAT(table, testing::SizeIs(3));
  write_bytes(folder.path("none.txt"), "");
  EXPECT_EQ(json_of({"generate", "-i", folder.path("none.txt").string()}), Json::array());
}

TEST(Generate, DrawsBySeedAlone) {
  const auto drawn = [](const std::string& seed, const std::string& threads) {
    return json_of({"generate", "the film", "--temperature", "0.9", "--top-p", "0.95", "--seed", seed, "--threads",
                    threads})
        .at("ids");
  };
  EXPECT_EQ(drawn("5", "1"), drawn("5", "4"));
  EXPECT_NE(drawn("5", "1"), drawn("6", "1"));
  EXPECT_NE(drawn("5", "1"), json_of({"generate", "the film"}).at("ids"));
}

TEST(Generate, EndsBeforeAStopText) {
  const std::string whole = json_of({"generate", "the film"}).at("text");
  const std::string stop = whole.substr(6, 4);
  const Json found = json_of({"generate", "the film", "--stop", "never, said", "--stop", stop});
  EXPECT_EQ(found.at("text"), whole.substr(0, whole.find(stop)));
  EXPECT_EQ(found.at("finished"), true);
  // A stop text takes one argument, so that a prompt may follow it.
  EXPECT_EQ(json_of({"generate", "--stop", stop, "the film"}).at("text"), found.at("text"));
}

TEST(Generate, PutsAPromptIntoATemplate) {
  for (const Json& expected : golden().at("templates"))
    if (expected.at("template") == "llama3") {
      const Json found = json_of({"generate", expected.at("user"), "--template", "llama3", "--max-new-tokens", "1"});
      EXPECT_EQ(found.at("prompt_ids"), expected.at("ids"));
    }
  const ProgramResult refused = run_decoder({"generate", "hi", "--template", "chatml"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("chatml"), HasSubstr("<|im_start|>")));
  EXPECT_THAT(run_wordsway({"list", "templates"}).out, HasSubstr("<|im_start|>user\\nPROMPT<|im_end|>"));
}

TEST(Generate, ShowsTheTextItselfOnATerminal) {
  const std::string text = json_of({"generate", "the film"}).at("text");
  const ProgramResult shown = on_terminal({"generate", "the film"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(shown.out, "the film" + text + "\n");
  EXPECT_THAT(shown.err, HasSubstr("64 tokens, "));
  EXPECT_EQ(on_terminal({"generate", "the film", "--quiet"}).err, "");
  EXPECT_THAT(on_terminal({"generate", "the film", "--format", "json"}).out, StartsWith("{\"prompt\""));
}

TEST(Generate, NeedsADecoder) {
  const ProgramResult encoder = run_wordsway({"generate", "hi", "-m", "builtin"});
  EXPECT_EQ(encoder.exit_code, 3);
  EXPECT_THAT(encoder.err, HasSubstr("is an encoder, which does not write text"));
}

// Nothing but the program: the decoder and the question that come with it.
TEST(Generate, AnswersABuiltInQuestionWithTheBuiltInDecoder) {
  const ProgramResult result = run_wordsway({"generate", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json found = Json::parse(result.out);
  EXPECT_THAT(found.at("prompt").get<std::string>(), AllOf(HasSubstr(" admired "), EndsWith("Answer:")));
  EXPECT_EQ(found.at("text"), " Yes, because of the word admired.");
  EXPECT_EQ(found.at("finished"), true);
  const ProgramResult named = run_wordsway({"generate", "-m", "builtin-decoder", "--format", "json"});
  EXPECT_EQ(Json::parse(named.out).at("ids"), found.at("ids"));
  EXPECT_EQ(Json::parse(run_wordsway({"info", "builtin-decoder", "--format", "json"}).out).at("architecture"), "llama");
}

TEST(Generate, TakesTheBuiltInDecoderOfTheDataFolderFirst) {
  const TemporaryFolder folder;
  const std::filesystem::path data = folder.path("data"), decoder = data / "models/builtin-decoder";
  std::filesystem::create_directories(decoder);
  write_bytes(decoder / "config.json", "{}");
  std::vector<std::string> command = wordsway_command({"generate"});
  command.insert(command.begin(), {"env", "WORDSWAY_DATA=" + data.string()});
  const ProgramResult result = RunningProgram(command).finish();
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.err, HasSubstr(decoder.string()));
}

TEST(Generate, RefusesWhatMakesNoSense) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{{"--temperature", "-1"},
                                                                                       {"--temperature", "nan"},
                                                                                       {"--top-p", "0"},
                                                                                       {"--top-p", "1.5"},
                                                                                       {"--max-new-tokens", "-1"},
                                                                                       {"--stop", ""},
                                                                                       {"--template", "alpaca"}}) {
    std::vector<std::string> arguments = {"generate", "hi"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = run_decoder(arguments);
    EXPECT_EQ(result.exit_code, 2) << options[0] << options[1] << result.err;
    EXPECT_EQ(result.out, "");
  }
}

TEST(Generate, SaysWhenAPromptWasCut) {
  std::string longer;
  for (int k = 0; k < 300; ++k) longer += "film ";
  const ProgramResult result = run_decoder({"generate", longer});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("was cut to the 256 tokens"));
}

TEST(Generate, KeepsWhatThereIsWhenInterrupted) {
  const TemporaryFolder folder;
  std::string prompts;
  for (int k = 0; k < 50'000; ++k) prompts += "the film\n";
  write_bytes(folder.path("prompts.txt"), prompts);
  // The signal must come while the first text is written, and how soon that is depends on the machine.
  const auto interrupted = [&](const char* format) {
    ProgramResult result;
    for (int wait = 400; wait < 60'000; wait *= 3) {
      RunningProgram program(wordsway_command({"generate", "-i", folder.path("prompts.txt").string(), "-m", decoder(),
                                               "--max-new-tokens", "200", "--format", format}));
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
      program.signal(SIGINT);
      result = program.finish();
      if (result.err.find("interrupted at prompt") != std::string::npos) break;
    }
    return result;
  };
  for (const char* format : {"jsonl", "json"}) {
    const ProgramResult result = interrupted(format);
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("ending the text after the next token"), HasSubstr("interrupted at prompt")));
    ASSERT_THAT(result.out, EndsWith("\n"));
    const Json last =
        std::string(format) == "json" ? Json::parse(result.out).back() : Json::parse(output_lines(result.out).back());
    EXPECT_EQ(last.at("prompt"), "the film");
    EXPECT_EQ(last.at("finished"), false);
  }
}

TEST(AnswersCommand, AnswersABuiltInPairWithTheBuiltInDecoder) {
  const ProgramResult result = run_wordsway({"answers", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json found = Json::parse(result.out);
  EXPECT_EQ(found.at("words"), Json::array({"admired", "despised"}));
  EXPECT_EQ(found.at("a").at("text"), " Yes, because of the word admired.");
  EXPECT_EQ(found.at("b").at("text"), " No, because of the word despised.");
  EXPECT_EQ(found.at("first_difference"), 0);
  EXPECT_GT(found.at("divergence")[0], 0.5);
}

TEST(AnswersCommand, ComparesTwoPrompts) {
  const Json& prompts = golden().at("prompts");
  const Json found = json_of({"answers", prompts[0].at("prompt"), prompts[1].at("prompt"), "--max-new-tokens", "32"});
  EXPECT_EQ(found.at("a").at("ids"), prompts[0].at("ids"));
  EXPECT_EQ(found.at("b").at("ids"), prompts[1].at("ids"));
  EXPECT_EQ(found.at("b").at("text"), prompts[1].at("text"));
  EXPECT_EQ(found.at("words"), Json::array({"good", "bad"}));
  EXPECT_EQ(found.at("first_difference"), 3);
  EXPECT_EQ(found.at("divergence").size(), 32U);
  for (const double value : found.at("divergence")) {
    EXPECT_GT(value, 0);
    EXPECT_LT(value, 1);
  }
  const auto lines = output_lines(run_decoder({"answers", prompts[0].at("prompt"), prompts[1].at("prompt"),
                                               "--max-new-tokens", "32", "--format", "jsonl"})
                                      .out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(Json::parse(lines[0]).at("divergence"), found.at("divergence"));
}

TEST(AnswersCommand, ShowsThemSideBySideWithTheWordMarked) {
  const Json& prompts = golden().at("prompts");
  const ProgramResult result =
      run_decoder({"answers", prompts[0].at("prompt"), prompts[1].at("prompt"), "--max-new-tokens", "8", "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const auto lines = output_lines(result.out);
  EXPECT_THAT(lines[0], AllOf(StartsWith("A "), EndsWith(" B")));
  EXPECT_THAT(result.out, AllOf(HasSubstr("[good]"), HasSubstr("[bad]"), HasSubstr("first difference  step 3: "),
                                HasSubstr("divergence        ▁"), HasSubstr("bits, largest ")));
  for (const std::string& line : lines)
    EXPECT_LE(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }), 80) << line;
  const ProgramResult same = run_decoder({"answers", "hi", "hi", "--max-new-tokens", "8"});
  EXPECT_THAT(same.out, HasSubstr("none: both answers are the same"));
}

TEST(AnswersCommand, GivesStepsAsCsvAndAsAChart) {
  const TemporaryFolder folder;
  const ProgramResult result = run_decoder({"answers", "the <film>", "a \"film\" & more", "--max-new-tokens", "6",
                                            "--format", "csv", "--chart", folder.path("chart.svg").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto lines = output_lines(result.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "step,a,b,divergence");
  EXPECT_EQ(what_is_wrong_with_xml(read_bytes(folder.path("chart.svg"))), "");
  EXPECT_THAT(read_bytes(folder.path("chart.svg")), HasSubstr("divergence of the next token"));
}

TEST(AnswersCommand, TakesTwoPromptsOrNone) {
  for (const std::vector<std::string>& prompts : std::vector<std::vector<std::string>>{{"one"}, {"1", "2", "3"}}) {
    std::vector<std::string> arguments = {"answers"};
    arguments.insert(arguments.end(), prompts.begin(), prompts.end());
    const ProgramResult result = run_decoder(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("answers compares two prompts"));
  }
}

// The commands that ask encoders ask decoders too, and of logits as well.
TEST(AskingADecoder, TellsHowWordsMoveWhatComesNext) {
  const Json words = json_of({"words", "The film was good", "--layer", "logits"})["rows"];
  ASSERT_EQ(words.size(), 4U);
  for (const Json& row : words)
    for (const char* key : {"typical_divergence", "worst_divergence", "dropped_divergence"}) {
      EXPECT_GE(row.at(key), 0) << key;
      EXPECT_LE(row.at(key), 1) << key;
    }
  const Json swaps = json_of({"substitute", "The film was good", "--layer", "logits", "--word", "good", "--top", "2"});
  ASSERT_EQ(swaps.size(), 2U);
  EXPECT_EQ(swaps[0].at("next_before"), swaps[1].at("next_before"));
  EXPECT_TRUE(swaps[0].contains("next_after"));
  EXPECT_GE(swaps[0].at("divergence"), swaps[1].at("divergence"));
  const Json layers = json_of({"layers", "The film was good", "--token", "1", "--layer", "logits"});
  EXPECT_EQ(layers.back().at("layer"), "logits");
  const Json last = json_of({"measure", "The film was good", "--token", "1", "--rows", "last"});
  EXPECT_GT(last.at("sensitivity"), 0);
}

TEST(AskingADecoder, SaysWhatAModelDoesNotHave) {
  const ProgramResult encoder = run_wordsway({"words", "a film", "--layer", "logits"});
  EXPECT_EQ(encoder.exit_code, 2);
  EXPECT_THAT(encoder.err, HasSubstr("predicts no next word"));
  EXPECT_EQ(run_decoder({"words", "a film", "--layer", "logits", "--rows", "last"}).exit_code, 2);
}

}  // namespace
}  // namespace wordsway::test
