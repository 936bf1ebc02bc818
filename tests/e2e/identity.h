// A world with everything that studies read, and what may be changed in it before a run goes on from its journal. What
// decides the rows is refused with exit 2 and named, what does not is resumed.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway::test::identity {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

inline void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
  std::string content = read_bytes(file);
  const size_t at = content.find(from);
  ASSERT_NE(at, std::string::npos) << file << " has no " << from;
  write_bytes(file, content.replace(at, from.size(), to));
}

inline void flip_byte(const fs::path& file, std::int64_t from_end) {
  std::string content = read_bytes(file);
  char& byte = content[content.size() - static_cast<size_t>(from_end)];
  byte = static_cast<char>(byte ^ 1);
  write_bytes(file, content);
}

inline void write_array(const fs::path& file, const std::vector<Index>& shape, double first = 0.5) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  std::vector<double> values(static_cast<size_t>(count));
  for (size_t k = 0; k < values.size(); ++k) values[k] = std::sin(1.0 + static_cast<double>(k));
  values[0] = first;
  write_npy(file, values, shape);
}

inline void write_labels(const fs::path& file, Index count, Index turned = -1) {
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

inline Change with(Arguments more) {
  return [more](World&, Arguments& arguments) { arguments.insert(arguments.end(), more.begin(), more.end()); };
}

// The value of an option that is there.
inline Change setting(const std::string& option, const std::string& value) {
  return [=](World&, Arguments& arguments) {
    const auto found = std::find(arguments.begin(), arguments.end(), option);
    ASSERT_TRUE(found != arguments.end()) << option;
    *(found + 1) = value;
  };
}

inline Change edit(const std::function<void(World&)>& change) {
  return [change](World& world, Arguments&) { change(world); };
}

// Options come in pairs behind the command.
inline void turn_round(Arguments& arguments) {
  std::vector<Arguments> pairs;
  for (size_t k = 1; k + 1 < arguments.size(); k += 2) pairs.push_back({arguments[k], arguments[k + 1]});
  std::reverse(pairs.begin(), pairs.end());
  arguments.resize(1);
  for (const Arguments& pair : pairs) arguments.insert(arguments.end(), pair.begin(), pair.end());
}

inline std::vector<Variation> harmless() {
  return {{"the same again", edit([](World&) {}), ""},
          {"threads", with({"--threads", "1"}), ""},
          {"format", with({"--format", "csv"}), ""},
          {"order of options", [](World&, Arguments& arguments) { turn_round(arguments); }, ""}};
}

inline std::vector<Variation> of_the_model() {
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

inline std::vector<Variation> of_the_corpus() {
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

inline std::vector<Variation> of_the_search() {
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
        EXPECT_THAT(second.err, testing::HasSubstr("are there already and are skipped"));
      } else {
        EXPECT_EQ(second.exit_code, 2) << second.err;
        EXPECT_THAT(second.err, testing::HasSubstr("is the journal of another run: "));
        EXPECT_THAT(second.err, testing::HasSubstr(variation.part));
        EXPECT_EQ(second.out, "");
      }
      EXPECT_EQ(read_bytes(world.path("j.jsonl")), journal);
      world.restore();
    }
  }
};

}  // namespace wordsway::test::identity
