#include "wordsway/text/tokenizer/vocabulary.h"

#include <fstream>
#include <map>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Vocabulary read_lines(const std::string& bytes) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("vocab.txt"), std::ios::binary) << bytes;
  return read_vocabulary_lines(folder.path("vocab.txt"));
}

TEST(Vocabulary, FindsEveryTokenByItsIdAndEveryIdByItsToken) {
  Vocabulary vocabulary;
  std::map<std::string, int> expected;
  for (int i = 0; i < 3000; ++i) {
    const std::string token = std::to_string(Stream(51).bits(static_cast<std::uint64_t>(i))[0]);
    if (!expected.emplace(token, 3 * i).second) continue;
    vocabulary.add(token, 3 * i, "test");
  }
  for (const auto& [token, id] : expected) {
    EXPECT_EQ(vocabulary.find(token), id);
    EXPECT_EQ(vocabulary.token(id), token);
  }
  EXPECT_EQ(vocabulary.size(), 3 * 2999 + 1);
}

TEST(Vocabulary, IdsBetweenTokensBelongToNobody) {
  Vocabulary vocabulary;
  vocabulary.add("far", 7, "test");
  EXPECT_EQ(vocabulary.size(), 8);
  EXPECT_FALSE(vocabulary.has_id(6));
  EXPECT_FALSE(vocabulary.has_id(8));
  EXPECT_FALSE(vocabulary.has_id(-1));
  EXPECT_THAT([&] { vocabulary.token(6); }, ThrowsMessage<DataError>(HasSubstr("no token with the id 6")));
  vocabulary.add("between", 6, "test");
  EXPECT_EQ(vocabulary.token(6), "between");
  EXPECT_EQ(vocabulary.token(7), "far");
}

TEST(Vocabulary, RefusesWhatCannotBeAnIdAndSaysWhere) {
  Vocabulary vocabulary;
  vocabulary.add("a", 0, "test");
  const auto add = [&](const char* token, long long id) { vocabulary.add(token, id, "file:3"); };
  EXPECT_THAT([&] { add("b", -1); }, ThrowsMessage<DataError>(HasSubstr("file:3: token 'b' has the id -1")));
  EXPECT_THAT([&] { add("b", Vocabulary::kMaxSize); }, ThrowsMessage<DataError>(HasSubstr("file:3: token 'b'")));
  EXPECT_THAT([&] { add("b", 0); }, ThrowsMessage<DataError>(HasSubstr("tokens 'a' and 'b' share the id 0")));
  EXPECT_EQ(vocabulary.find("b"), std::nullopt) << "a refused token must not stay behind";
  EXPECT_NO_THROW(add("a", 0));
}

TEST(Vocabulary, TokensStayWhereTheyAreWhenItMoves) {
  Vocabulary first;
  for (int i = 0; i < 100; ++i) first.add("token" + std::to_string(i), i, "test");
  const Vocabulary second = std::move(first);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(second.token(i), "token" + std::to_string(i));
}

TEST(Vocabulary, LinesAreTokensWithoutTheSpaceAtTheirEnds) {
  const Vocabulary vocabulary = read_lines("one \t\r\n two\n\n#three");
  EXPECT_EQ(vocabulary.find("one"), 0);
  EXPECT_EQ(vocabulary.find(" two"), 1);
  EXPECT_EQ(vocabulary.find(""), 2);
  EXPECT_EQ(vocabulary.find("#three"), 3);
  EXPECT_EQ(vocabulary.size(), 4);
}

TEST(Vocabulary, OfATokenOnTwoLinesTheLaterOneCounts) {
  EXPECT_EQ(read_lines("a\nb\na\n").find("a"), 2);
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("vocab.txt")) << "[UNK]\n[CLS]\n[SEP]\nfilm\n##s\nfilm\n";
  const auto tokenizer = load_tokenizer(folder.folder());
  EXPECT_EQ(tokenizer->encode("films", {.special_tokens = false}).ids, (std::vector<int>{5, 4}));
  EXPECT_EQ(tokenizer->piece(3), "film");
}

TEST(Vocabulary, ObjectsGiveIdsInAnyOrderAndMustNotBeEmpty) {
  const Vocabulary vocabulary = read_vocabulary_object(JsonView::parse(R"({"z": 0, "a": 2, "\u0120m": 1})", "v"));
  EXPECT_EQ(vocabulary.token(0), "z");
  EXPECT_EQ(vocabulary.token(1), "\u0120m");
  EXPECT_THAT([] { read_vocabulary_object(JsonView::parse("{}", "v.json")); },
              ThrowsMessage<DataError>("v.json: the vocabulary is empty"));
}

}  // namespace
}  // namespace wordsway
