// Arrays of attention beside a journal: what is there is believed only when its content is.
#include "wordsway/study/attention_array_study.h"

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"
#include "wordsway/run/run_study.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class AttentionArrays : public testing::Test {
 protected:
  AttentionArrayStudy study(std::vector<std::vector<int>> ids = {{5, 6, 7}, {5, 9}, {8, 7, 6, 5}},
                            const char* layer = "all", const char* head = "all") const {
    static const std::shared_ptr<const Transformer> bert =
        Transformer::load(test::source_folder() / "tests/golden/models/bert");
    static const std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(test::source_folder() / "models/builtin");
    return AttentionArrayStudy({bert, {"made up", tokenizer, std::move(ids)}, layer, head, folder_.folder()});
  }
  StudyResult run(const AttentionArrayStudy& study) const {
    RunOptions options;
    options.journal = folder_.path("journal.jsonl");
    return run_study(study, options);
  }
  std::string file(const char* name) const { return test::read_bytes(folder_.path(name)); }

  test::TemporaryFolder folder_;
};

TEST_F(AttentionArrays, AreOneForEachText) {
  const StudyResult result = run(study());
  ASSERT_EQ(result.rows.size(), 3U);
  for (size_t text = 0; text < 3; ++text) {
    const Record& row = result.rows[text];
    EXPECT_EQ(row.number("text"), static_cast<double>(text));
    const NpyArray array = read_npy(folder_.path(row.text("file")));
    const auto n = static_cast<Index>(row.number("n"));
    EXPECT_EQ(array.shape, (std::vector<Index>{2, 4, n, n}));
  }
  EXPECT_EQ(result.rows[2].text("file"), "000002.npy");
}

TEST_F(AttentionArrays, AreWrittenAgainWhereTheyAreMissingOrChanged) {
  const StudyResult first = run(study());
  const std::string one = file("000001.npy"), two = file("000002.npy");
  std::filesystem::remove(folder_.path("000001.npy"));
  std::string changed = two;
  changed.back() ^= 1;
  test::write_bytes(folder_.path("000002.npy"), changed);
  const AttentionArrayStudy same = study();
  const StudyResult again = run(same);
  EXPECT_EQ(again.resumed, 3);
  EXPECT_EQ(again.rows, first.rows);
  EXPECT_EQ(same.restore(again.rows), 2);
  EXPECT_EQ(file("000001.npy"), one);
  EXPECT_EQ(file("000002.npy"), two);
  EXPECT_EQ(same.restore(again.rows), 0);
}

TEST_F(AttentionArrays, ThatCannotBeMadeAgainAreToldOf) {
  std::vector<Record> rows = run(study()).rows;
  rows[1].set("digest", "xxh3:0123456789abcdef0123456789abcdef");
  EXPECT_THAT([&] { study().restore(rows); }, ThrowsMessage<DataError>(HasSubstr("000001.npy: the attention of this")));
}

TEST_F(AttentionArrays, OfOtherTextsLayersOrHeadsAreNotGoneOnWith) {
  run(study());
  EXPECT_THAT(
      [&] {
        run(study({{5, 6, 7}, {5, 9}, {8, 7, 6, 6}}));
      },
      ThrowsMessage<UsageError>(HasSubstr("the texts are others")));
  EXPECT_THAT(
      [&] {
        run(study({{5, 6, 7}, {5, 9}, {8, 7, 6, 5}}, "1"));
      },
      ThrowsMessage<UsageError>(HasSubstr("its layer is \"all\", this run's is \"1\"")));
  EXPECT_THAT(
      [&] {
        run(study({{5, 6, 7}, {5, 9}, {8, 7, 6, 5}}, "all", "mean"));
      },
      ThrowsMessage<UsageError>(HasSubstr("its head is")));
  EXPECT_THROW(study({}), UsageError);
}

TEST_F(AttentionArrays, WithoutAJournalAreNotBelieved) {
  test::write_bytes(folder_.path("000001.npy"), "something else");
  const StudyResult result = run(study());
  EXPECT_EQ(result.resumed, 0);
  EXPECT_EQ(read_npy(folder_.path("000001.npy")).shape, (std::vector<Index>{2, 4, 2, 2}));
}

}  // namespace
}  // namespace wordsway
