// A journal is gone on from only by a run whose rows would be the same: every study, with one thing changed at a time.
// What decides the rows is refused with exit 2 and named, what does not is resumed.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/journals.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
  std::string content = read_bytes(file);
  const size_t at = content.find(from);
  ASSERT_NE(at, std::string::npos) << file << " has no " << from;
  write_bytes(file, content.replace(at, from.size(), to));
}

void flip_byte(const fs::path& file, std::int64_t from_end) {
  std::string content = read_bytes(file);
  char& byte = content[content.size() - static_cast<size_t>(from_end)];
  byte = static_cast<char>(byte ^ 1);
  write_bytes(file, content);
}

void write_array(const fs::path& file, const std::vector<Index>& shape, double first = 0.5) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  std::vector<double> values(static_cast<size_t>(count));
  for (size_t k = 0; k < values.size(); ++k) values[k] = std::sin(1.0 + static_cast<double>(k));
  values[0] = first;
  write_npy(file, values, shape);
}

void write_labels(const fs::path& file, Index count, Index turned = -1) {
  std::vector<double> labels;
  for (Index k = 0; k < count; ++k) labels.push_back((k % 2 == 0) == (k != turned) ? 1 : -1);
  write_npy(file, labels, {count});
}

// A folder with everything that studies read, and what they write: j.jsonl or out.
class World {
 public:
  World() {
    const fs::path model = path("M");
    fs::create_directory(model);
    for (const char* name : {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"})
      fs::copy_file(source_folder() / "models/builtin" / name, model / name);
    std::ofstream csv(path("c.csv"));
    csv << "text,other,y,z\n";
    for (std::uint64_t k = 0; k < 40; ++k)
      csv << fmt::format("\"{}\",\"{}\",{},{}\n", builtin_review(k, 60).text, builtin_review(k + 100, 60).text,
                         k % 2 == 0 ? 1 : -1, k < 20 ? 1 : -1);
    write_array(path("x.npy"), {2, 6, 8});
    write_array(path("pool.npy"), {12, 6, 8});
    write_labels(path("y.npy"), 12);
    write_array(path("fresh.npy"), {6, 8}, 0.7);
    write_array(path("w.npy"), {8, 8});
    std::ofstream reviews(path("reviews.jsonl"));
    for (std::uint64_t k = 0; k < 60; ++k)
      reviews << fmt::format("{{\"text\": \"{}\", \"y\": {}}}\n", builtin_review(k, 300).text, k % 2 == 0 ? 1 : -1);
    reviews.close();
    csv.close();
    fs::copy(folder_.folder(), pristine_.folder(), fs::copy_options::recursive);
  }

  // Everything that is read becomes what it was, and nothing else stays but what was written.
  void restore() const {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.folder()))
      if (entry.path().filename() != "j.jsonl" && entry.path().filename() != "out") fs::remove_all(entry.path());
    fs::copy(pristine_.folder(), folder_.folder(), fs::copy_options::recursive);
  }

  fs::path path(const std::string& name) const { return folder_.path(name); }
  std::string text(const std::string& name) const { return path(name).string(); }

 private:
  TemporaryFolder folder_, pristine_;
};

struct Variation {
  std::string name;
  std::function<void(World&, Arguments&)> change;
  std::string part;  // named in the refusal; empty: resumed
};

using Change = std::function<void(World&, Arguments&)>;

Change with(Arguments more) {
  return [more](World&, Arguments& arguments) { arguments.insert(arguments.end(), more.begin(), more.end()); };
}

// The value of an option that is there.
Change setting(const std::string& option, const std::string& value) {
  return [=](World&, Arguments& arguments) {
    const auto found = std::find(arguments.begin(), arguments.end(), option);
    ASSERT_TRUE(found != arguments.end()) << option;
    *(found + 1) = value;
  };
}

Change edit(const std::function<void(World&)>& change) {
  return [change](World& world, Arguments&) { change(world); };
}

// Options come in pairs behind the command.
void turn_round(Arguments& arguments) {
  std::vector<Arguments> pairs;
  for (size_t k = 1; k + 1 < arguments.size(); k += 2) pairs.push_back({arguments[k], arguments[k + 1]});
  std::reverse(pairs.begin(), pairs.end());
  arguments.resize(1);
  for (const Arguments& pair : pairs) arguments.insert(arguments.end(), pair.begin(), pair.end());
}

std::vector<Variation> harmless() {
  return {{"the same again", edit([](World&) {}), ""},
          {"threads", with({"--threads", "1"}), ""},
          {"format", with({"--format", "csv"}), ""},
          {"order of options", [](World&, Arguments& arguments) { turn_round(arguments); }, ""}};
}

std::vector<Variation> of_the_model() {
  const auto file = [](const char* name, const std::function<void(const fs::path&)>& change) {
    return edit([=](World& world) { change(world.path("M") / name); });
  };
  return {
      {"weights of the last tensor", file("model.safetensors", [](const fs::path& f) { flip_byte(f, 3); }),
       "the weights in model.safetensors are others than those of this journal"},
      {"weights in the middle", file("model.safetensors", [](const fs::path& f) { flip_byte(f, 2'000'000); }),
       "the weights in model.safetensors are others"},
      {"epsilon", file("config.json", [](const fs::path& f) { replace_in(f, "1e-12", "1e-11"); }),
       "the settings in config.json are others"},
      {"activation", file("config.json", [](const fs::path& f) { replace_in(f, "\"gelu\"", "\"relu\""); }),
       "the settings in config.json are others"},
      {"heads",
       file("config.json",
            [](const fs::path& f) { replace_in(f, "\"num_attention_heads\": 4", "\"num_attention_heads\": 8"); }),
       "the settings in config.json are others"},
      {"tokenizer",
       file("tokenizer.json", [](const fs::path& f) { replace_in(f, "\"lowercase\": true", "\"lowercase\": false"); }),
       "the rules of the tokenizer in tokenizer.json are others"},
      {"another folder of the same name",
       [](World& world, Arguments& arguments) {
         fs::create_directory(world.path("other"));
         fs::copy(world.path("M"), world.path("other/M"));
         flip_byte(world.path("other/M/model.safetensors"), 3);
         std::replace(arguments.begin(), arguments.end(), world.text("M"), world.text("other/M"));
       },
       "the weights in model.safetensors are others"},
      {"a copied folder",
       [](World& world, Arguments& arguments) {
         fs::copy(world.path("M"), world.path("copy"));
         std::replace(arguments.begin(), arguments.end(), world.text("M"), world.text("copy"));
       },
       ""},
      {"a copied folder of the same name",
       [](World& world, Arguments& arguments) {
         fs::create_directory(world.path("other"));
         fs::copy(world.path("M"), world.path("other/M"));
         std::replace(arguments.begin(), arguments.end(), world.text("M"), world.text("other/M"));
       },
       ""},
      {"files written again", edit([](World& world) {
         const fs::path weights = world.path("M/model.safetensors");
         write_bytes(weights, read_bytes(weights));
       }),
       ""},
  };
}

std::vector<Variation> of_the_corpus() {
  return {{"one word", edit([](World& world) { replace_in(world.path("c.csv"), "\n\"", "\n\"Truly "); }),
           "the texts are others"},
          {"column", with({"--column", "other"}), "the texts are others"},
          {"select", with({"--select", "10"}), "the texts are others"},
          {"a copied corpus",
           [](World& world, Arguments& arguments) {
             fs::copy(world.path("c.csv"), world.path("copy.csv"));
             std::replace(arguments.begin(), arguments.end(), world.text("c.csv"), world.text("copy.csv"));
           },
           ""}};
}

std::vector<Variation> of_the_search() {
  return {{"seed", with({"--seed", "2"}), "its seed is 1, this run's is 2"},
          {"starts", with({"--starts", "3"}), "its starts is"},
          {"steps", setting("--steps", "4"), "its steps is 3, this run's is 4"},
          {"tolerance", with({"--tolerance", "0.01"}), "its tolerance is"}};
}

template <typename... Lists>
std::vector<Variation> all(const Lists&... lists) {
  std::vector<Variation> result;
  (result.insert(result.end(), lists.begin(), lists.end()), ...);
  return result;
}

class IdentityTest : public testing::Test {
 protected:
  // `arguments` makes the command from a world; its journal is j.jsonl.
  static void check(const std::function<Arguments(const World&)>& arguments, const std::vector<Variation>& variations) {
    World world;
    const ProgramResult first = run_wordsway(arguments(world));
    ASSERT_EQ(first.exit_code, 0) << first.err;
    const std::string journal = read_bytes(world.path("j.jsonl"));
    for (const Variation& variation : variations) {
      SCOPED_TRACE(variation.name);
      Arguments again = arguments(world);
      variation.change(world, again);
      const ProgramResult second = run_wordsway(again);
      if (variation.part.empty()) {
        EXPECT_EQ(second.exit_code, 0) << second.err;
        EXPECT_THAT(second.err, HasSubstr("are there already and are skipped"));
      } else {
        EXPECT_EQ(second.exit_code, 2) << second.err;
        EXPECT_THAT(second.err, HasSubstr("is the journal of another run: "));
        EXPECT_THAT(second.err, HasSubstr(variation.part));
        EXPECT_EQ(second.out, "");
      }
      EXPECT_EQ(read_bytes(world.path("j.jsonl")), journal);
      world.restore();
    }
  }
};

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
  EXPECT_THAT(other.err, HasSubstr("the texts are others than those of this journal"));
}

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
      EXPECT_THAT(second.err, HasSubstr(variation.part));
      EXPECT_EQ(second.out, "") << "no verdict on a mixture of rows";
    }
    EXPECT_EQ(read_bytes(world.path("out/raf.jsonl")), journal);
    world.restore();
  }
}

}  // namespace
}  // namespace wordsway::test
