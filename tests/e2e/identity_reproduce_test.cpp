// Journals of figures are gone on from only by a run whose rows would be the same.
#include "e2e/identity.h"

namespace wordsway::test::identity {
namespace {

// Figures of every kind of study; a whole run is only done once, because refusals come before any work.
TEST_F(IdentityTest, OfFigures) {
  World world;
  const Arguments command = {"reproduce",
                             "attract",
                             "layers",
                             "model-length",
                             "positions",
                             "raf",
                             "penalty",
                             "--profile",
                             "quick",
                             "-m",
                             world.text("M"),
                             "-i",
                             world.text("reviews.jsonl"),
                             "-o",
                             world.text("out")};
  const ProgramResult first = run_wordsway(command);
  ASSERT_TRUE(first.exit_code == 0 || first.exit_code == 1) << first.err;
  const std::string journal = read_bytes(world.path("out/raf.jsonl"));

  std::vector<Variation> variations = of_the_model();
  variations.push_back(
      {"one word", edit([](World& w) { replace_in(w.path("reviews.jsonl"), "\"text\": \"", "\"text\": \"Truly "); }),
       "the texts are others"});
  variations.push_back({"one label",
                        edit([](World& w) { replace_in(w.path("reviews.jsonl"), "\"y\": 1", "\"y\": -1"); }),
                        "the labels are others"});
  variations.push_back({"seed", with({"--seed", "2"}), "its seed is"});
  variations.push_back({"threads", with({"--threads", "1"}), ""});
  for (const Variation& variation : variations) {
    SCOPED_TRACE(variation.name);
    Arguments again = command;
    variation.change(world, again);
    const ProgramResult second = run_wordsway(again);
    if (variation.part.empty()) {
      EXPECT_EQ(second.exit_code, first.exit_code) << second.err;
      EXPECT_EQ(second.out, first.out);
    } else {
      EXPECT_EQ(second.exit_code, 2) << second.err;
      EXPECT_THAT(second.err, testing::HasSubstr(variation.part));
      EXPECT_EQ(second.out, "") << "no verdict on a mixture of rows";
    }
    EXPECT_EQ(read_bytes(world.path("out/raf.jsonl")), journal);
    world.restore();
  }
}

}  // namespace
}  // namespace wordsway::test::identity
