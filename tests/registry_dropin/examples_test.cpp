// The examples of docs/adding_a_map.md are the files that registry_dropin_test.cmake builds and tests.
#include <fstream>
#include <sstream>

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

TEST(AddingAMap, ItsExamplesAreTheFilesThatAreTested) {
  const std::string page = read(source_folder() / "docs/adding_a_map.md");
  for (const char* name : {"raf_power.cpp.in", "silu.cpp.in"}) {
    const std::string example = read(source_folder() / "tests/registry_dropin" / name);
    ASSERT_FALSE(example.empty()) << name;
    EXPECT_NE(page.find("```cpp\n" + example + "```"), std::string::npos) << name << " differs from the page";
  }
}

}  // namespace
}  // namespace wordsway::test
