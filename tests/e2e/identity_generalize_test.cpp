// A journal of `generalize` is gone on from only by a run whose rows would be the same.
#include "e2e/identity.h"

namespace wordsway::test::identity {
namespace {

TEST_F(IdentityTest, OfLearningOnArrays) {
  const auto command = [](const World& world) {
    return Arguments{"generalize",
                     "--map",
                     "raf",
                     "--pool",
                     world.text("pool.npy"),
                     "--labels",
                     world.text("y.npy"),
                     "--train-size",
                     "5",
                     "--trials",
                     "2",
                     "--steps",
                     "3",
                     "--weights",
                     world.text("w.npy"),
                     "--out",
                     world.text("j.jsonl")};
  };
  check(command,
        all(harmless(), of_the_search(),
            std::vector<Variation>{{"one number", edit([](World& world) {
                                      write_array(world.path("pool.npy"), {12, 6, 8}, 0.51);
                                    }),
                                    "the samples of the pool are others"},
                                   {"one label", edit([](World& world) { write_labels(world.path("y.npy"), 12, 3); }),
                                    "the labels of the samples of the pool are others"},
                                   {"weights in place", edit([](World& world) {
                                      write_array(world.path("w.npy"), {8, 8}, 0.51);
                                    }),
                                    "the given weights are others"},
                                   {"weights of another file",
                                    [](World& world, Arguments& arguments) {
                                      write_array(world.path("v.npy"), {8, 8}, 0.51);
                                      setting("--weights", world.text("v.npy"))(world, arguments);
                                    },
                                    "the given weights are others"},
                                   {"normalisation", with({"--no-normalise"}), "its normalisation is"},
                                   {"training", with({"--training", "retrain"}), "its training is"},
                                   {"objective", with({"--objective", "align"}), "its objective is"},
                                   {"penalty", with({"--penalty", "0.1"}), "its penalty is"},
                                   {"radius", with({"--radius", "0.5"}), "its radius is"},
                                   {"token", with({"--token", "1"}), "its token is"},
                                   {"train size", setting("--train-size", "6"), "its train_size is"}}));
}

TEST_F(IdentityTest, OfLearningOnGivenSamples) {
  const auto command = [](const World& world) {
    return Arguments{"generalize",
                     "--map",
                     "raf",
                     "--x-train",
                     world.text("pool.npy"),
                     "--y-train",
                     world.text("y.npy"),
                     "--x",
                     world.text("fresh.npy"),
                     "--y",
                     "1",
                     "--steps",
                     "3",
                     "--out",
                     world.text("j.jsonl")};
  };
  check(command, {{"the same again", edit([](World&) {}), ""},
                  {"new sample", edit([](World& world) {
                     write_array(world.path("fresh.npy"), {6, 8}, 0.71);
                   }),
                   "the new samples are others"},
                  {"its label", setting("--y", "-1"), "the labels of the new samples are others"},
                  {"training samples", edit([](World& world) {
                     write_array(world.path("pool.npy"), {12, 6, 8}, 0.51);
                   }),
                   "the training samples are others"}});
}

TEST_F(IdentityTest, OfLearningOnTexts) {
  const auto command = [](const World& world) {
    return Arguments{"generalize", "--map",   "raf", "-m",    world.text("M"),      "-i", world.text("c.csv"),
                     "--n",        "6",       "--d", "16",    "--train-size",       "5",  "--trials",
                     "2",          "--steps", "3",   "--out", world.text("j.jsonl")};
  };
  check(command, all(harmless(), of_the_model(), of_the_corpus(),
                     std::vector<Variation>{{"normalisation", with({"--no-normalise"}), "its normalisation is"},
                                            {"labels", with({"--label-column", "z"}), "the labels are others"}}));
}

TEST_F(IdentityTest, OfMadeUpLabels) {
  const auto command = [](const World& world) {
    return Arguments{"generalize",
                     "--map",
                     "raf",
                     "--data",
                     "sphere",
                     "--n",
                     "4",
                     "--d",
                     "6",
                     "--train-size",
                     "5",
                     "--trials",
                     "2",
                     "--steps",
                     "3",
                     "--out",
                     world.text("j.jsonl")};
  };
  check(command, {{"the same again", edit([](World&) {}), ""},
                  {"data", setting("--data", "spiked:0.5"), "its data is"},
                  {"rule", with({"--label-rule", "coin"}), "its data is"}});
}

}  // namespace
}  // namespace wordsway::test::identity
