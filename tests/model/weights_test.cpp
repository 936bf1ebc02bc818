#include "wordsway/model/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.h"
#include "wordsway/core/error.h"
#include "wordsway/core/memory.h"
#include "wordsway/model/transformer.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A tensor that holds as many bytes as it says, all zero.
class Claims : public TensorSource {
 public:
  explicit Claims(size_t bytes) : bytes_(bytes) {}

  std::vector<SourceFile> source_files() const override { return {}; }
  void check_unchanged() const override {}
  std::map<std::string, TensorTotal> totals_by_type() const override { return {{"BF16", {bytes_ / 2, bytes_}}}; }
  bool contains(const std::string&) const override { return false; }
  const TensorInfo& info(const std::string&) const override { throw DataError("there is no tensor"); }
  const TensorInfo& info(const std::string&, const std::vector<Index>&) const override { return info(""); }
  void copy_rows(const std::string&, Index, Index, std::span<std::byte>) const override {}

 private:
  size_t bytes_;
};

TEST(Weights, AreRefusedBeforeTheyAreReadWhenTheyDoNotFit) {
  const auto too_many = static_cast<size_t>(1.5 * physical_memory());
  EXPECT_THAT([&] { Weights("giant", std::make_shared<Claims>(too_many)); },
              ThrowsMessage<SystemError>(AllOf(HasSubstr("giant: the weights need"), HasSubstr("(BF16 "),
                                               HasSubstr("this process may use " + format_bytes(physical_memory())))));
}

TEST(Weights, SayWhatTheyTakeInMemory) {
  const size_t large = 100'000'000;
  EXPECT_EQ(Weights("large", std::make_shared<Claims>(large)).memory_bytes(), large);
  // Small ones become floats.
  EXPECT_EQ(Weights("small", std::make_shared<Claims>(1000)).memory_bytes(), 2000);
  const auto transformer = Transformer::load(golden_models() / "distilbert-bf16");
  EXPECT_THAT(transformer->weight_types(), testing::StartsWith("BF16 "));
  EXPECT_GE(transformer->weight_bytes(), 4 * static_cast<double>(transformer->parameters()));
}

}  // namespace
}  // namespace wordsway::test
