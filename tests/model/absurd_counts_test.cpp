// Counts of layers, heads, words and everything else that a config.json states, up to 2^64 - 1: whatever the key, a
// model either is refused with a sentence or works, and nothing is allocated by such a number.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/golden.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/model/transformer.h"

namespace wordsway::test {
namespace {

using nlohmann::json;

class AbsurdCounts : public testing::TestWithParam<std::string> {};

TEST_P(AbsurdCounts, AreRefusedOrHarmless) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path("model");
  std::filesystem::copy(golden_models() / GetParam(), folder, std::filesystem::copy_options::recursive);
  const json config = json::parse(std::ifstream(folder / "config.json"));
  int refused = 0;
  for (const auto& [key, value] : config.items()) {
    if (!value.is_number_integer()) continue;
    for (const json& absurd : {json(1'000'000'000), json(1LL << 31), json((1LL << 32) + 1), json(1LL << 62),
                               json(INT64_MAX), json(1ULL << 63), json(UINT64_MAX), json(INT64_MIN)}) {
      json changed = config;
      changed[key] = absurd;
      std::ofstream(folder / "config.json") << changed;
      try {
        Transformer::load(folder);
      } catch (const InternalError& bug) {
        ADD_FAILURE() << key << " = " << absurd << ": " << bug.what();
      } catch (const Error& refusal) {
        ++refused;
        EXPECT_THAT(refusal.what(), testing::HasSubstr(folder.string())) << key << " = " << absurd;
      } catch (const std::exception& other) {
        ADD_FAILURE() << key << " = " << absurd << ": " << other.what();
      }
    }
  }
  EXPECT_GE(refused, 5 * 8) << "layers, heads, width, words and positions";
}

INSTANTIATE_TEST_SUITE_P(Models, AbsurdCounts, testing::ValuesIn(golden_model_names()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace wordsway::test
