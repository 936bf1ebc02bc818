// The examples of docs/adding_a_map.md, adding_data.md and adding_a_question.md are the files in the folders here,
// which are built and tested.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/places.h"

namespace wordsway::test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_examples(const char* page_name, const std::vector<const char*>& examples) {
  const std::string page = read(source_folder() / "docs" / page_name);
  for (const char* name : examples) {
    const std::string example = read(source_folder() / "tests/registry_dropin" / name);
    ASSERT_FALSE(example.empty()) << name;
    EXPECT_NE(page.find("```cpp\n" + example + "```"), std::string::npos) << name << " differs from the page";
  }
}

TEST(AddingAMap, ItsExamplesAreTheFilesThatAreTested) {
  expect_examples("adding_a_map.md", {"maps/raf_power.cpp", "activations/erf.cpp"});
}

TEST(AddingData, ItsExampleIsTheFileThatIsTested) {
  expect_examples("adding_data.md", {"laws/topics.cpp"});
}

TEST(AddingAQuestion, ItsExampleIsTheFileThatIsTested) {
  expect_examples("adding_a_question.md", {"questions/order.cpp"});
}

}  // namespace
}  // namespace wordsway::test
