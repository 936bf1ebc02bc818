// A journal of `measure` is gone on from only by a run whose rows would be the same.
#include "e2e/identity.h"

namespace wordsway::test::identity {
namespace {

TEST_F(IdentityTest, OfMadeUpData) {
  const auto command = [](const World& world) {
    return Arguments{"measure", "--map",   "rf",     "--n",    "4,5",
                     "--d",     "6",       "--data", "sphere", "--trials",
                     "2",       "--steps", "3",      "--out",  world.text("j.jsonl")};
  };
  check(command, all(harmless(), of_the_search(),
                     std::vector<Variation>{{"quiet and threads", with({"--threads", "2", "--memory", "1G"}), ""},
                                            {"map", setting("--map", "drf"), "its map is"},
                                            {"n", setting("--n", "4,6"), "its n is"},
                                            {"d", setting("--d", "7"), "its d is [6]"},
                                            {"trials", setting("--trials", "3"), "its trials is 2"},
                                            {"data", setting("--data", "spiked:0.5"), "its data is \"sphere\""},
                                            {"radius", with({"--radius", "0.5"}), "its radius is"},
                                            {"token", with({"--token", "1"}), "its token is"},
                                            {"all tokens", with({"--token", "all"}), "its token is"},
                                            {"tokens that move together", with({"--tokens", "2"}), "moved_tokens"},
                                            {"width", with({"--width", "9"}), "its width is"},
                                            {"activation", with({"--activation", "tanh"}), "its activation is"},
                                            {"random", with({"--random", "streamed"}), "its random is"}}));
}

TEST_F(IdentityTest, OfAnArray) {
  const auto command = [](const World& world) {
    return Arguments{
        "measure", "--map", "raf", "--x", world.text("x.npy"), "--steps", "3", "--out", world.text("j.jsonl")};
  };
  check(command, {{"one number", edit([](World& world) {
                     write_array(world.path("x.npy"), {2, 6, 8}, 0.51);
                   }),
                   "the samples are others"},
                  {"shape", edit([](World& world) {
                     write_array(world.path("x.npy"), {2, 8, 6});
                   }),
                   "its n is"},
                  {"normalisation", with({"--no-normalise"}), "its normalisation is"},
                  {"beta", with({"--beta", "2"}), "its beta is"},
                  {"the same numbers under another name",
                   [](World& world, Arguments& arguments) {
                     fs::rename(world.path("x.npy"), world.path("renamed.npy"));
                     std::replace(arguments.begin(), arguments.end(), world.text("x.npy"), world.text("renamed.npy"));
                   },
                   ""}});
}

TEST_F(IdentityTest, OfAModel) {
  const auto command = [](const World& world) {
    return Arguments{"measure", "-m",    world.text("M"),      "-i", world.text("c.csv"),
                     "--n",     "6",     "--trials",           "2",  "--steps",
                     "3",       "--out", world.text("j.jsonl")};
  };
  check(command, all(harmless(), of_the_model(), of_the_corpus(), of_the_search(),
                     std::vector<Variation>{
                         {"layer", with({"--layer", "2"}), "its layer is"},
                         {"pooled", with({"--layer", "pooled"}), "its layer is"},
                         {"radius", with({"--radius", "0.5"}), "its radius is"},
                         {"unit", with({"--radius-unit", "token-norm"}), "its radius_unit is"},
                         {"token", with({"--token", "1"}), "its token is"},
                         {"n", setting("--n", "7"), "its n is"},
                         {"trials", setting("--trials", "3"), "its trials is"},
                     }));
}

TEST_F(IdentityTest, OfEmbeddedTexts) {
  const auto command = [](const World& world) {
    return Arguments{"measure",
                     "--map",
                     "raf",
                     "-m",
                     world.text("M"),
                     "-i",
                     world.text("c.csv"),
                     "--n",
                     "6",
                     "--d",
                     "16",
                     "--trials",
                     "2",
                     "--steps",
                     "3",
                     "--out",
                     world.text("j.jsonl")};
  };
  check(command, all(harmless(), of_the_model(), of_the_corpus(),
                     std::vector<Variation>{{"normalisation", with({"--no-normalise"}), "its normalisation is"}}));
}

TEST_F(IdentityTest, OfSelectedTexts) {
  const auto command = [](const World& world) {
    return Arguments{"measure",
                     "-m",
                     world.text("M"),
                     "-i",
                     world.text("c.csv"),
                     "--label-column",
                     "y",
                     "--select",
                     "4",
                     "--n",
                     "6",
                     "--steps",
                     "3",
                     "--out",
                     world.text("j.jsonl")};
  };
  check(command, {{"the same again", edit([](World&) {}), ""},
                  {"label column", setting("--label-column", "z"), "the texts are others"}});
}

TEST_F(IdentityTest, OfTheBuiltinReviews) {
  const auto command = [](const World& world) {
    return Arguments{
        "measure", "--map",    "raf", "--data",  "builtin", "-m",    world.text("M"),      "--n", "6", "--d",
        "16",      "--trials", "2",   "--steps", "3",       "--out", world.text("j.jsonl")};
  };
  check(command, all(harmless(), of_the_model()));
}

TEST_F(IdentityTest, OfStandardInput) {
  World world;
  const auto run = [&](const std::string& text) {
    write_bytes(world.path("input.txt"), text);
    return RunningProgram({"bash", "-c", "\"$0\" measure -m \"$1\" -i - --steps 3 --out \"$2\" < \"$3\"",
                           program_path().string(), world.text("M"), world.text("j.jsonl"), world.text("input.txt")})
        .finish();
  };
  EXPECT_EQ(run("a good film\n").exit_code, 0);
  EXPECT_EQ(run("a good film\n").exit_code, 0);
  const ProgramResult other = run("a bad film\n");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, testing::HasSubstr("the texts are others than those of this journal"));
}

}  // namespace
}  // namespace wordsway::test::identity
