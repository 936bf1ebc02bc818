#include "wordsway/io/unpack.h"

#include <gmock/gmock.h>

#include "io/string_source.h"
#include "text/packed_bytes.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using Unpack = decltype(&unpack_gzip);

struct Packing {
  Unpack unpack;
  std::string one_two;
};

const Packing kPackings[] = {{unpack_gzip, test::kGzipOneTwo}, {unpack_xz, test::kXzOneTwo}};

std::string unpack_all(Unpack unpack, const std::string& packed, std::size_t most_in, std::size_t most_out,
                       std::uint64_t limit = 1 << 20) {
  const auto source = unpack(std::make_unique<test::StringSource>(packed, most_in), "in", limit);
  std::string result, buffer(most_out, ' ');
  while (const std::size_t count = source->read(buffer)) result.append(buffer, 0, count);
  EXPECT_EQ(source->read(buffer), 0u) << "the end stays the end";
  return result;
}

TEST(Unpack, GivesTheSameBytesHoweverTheyArriveAndAreAskedFor) {
  for (const Packing& packing : kPackings) {
    for (const std::size_t most_in : {1, 2, 5, 1000}) {
      for (const std::size_t most_out : {1, 3, 1000}) {
        EXPECT_EQ(unpack_all(packing.unpack, packing.one_two, most_in, most_out), "one\ntwo\n");
        const std::string twice = packing.one_two + packing.one_two;
        EXPECT_EQ(unpack_all(packing.unpack, twice, most_in, most_out), "one\ntwo\none\ntwo\n");
      }
    }
  }
}

TEST(Unpack, DataCutAnywhereIsAnErrorAndNeverAShorterText) {
  for (const Packing& packing : kPackings) {
    for (std::size_t size = 0; size < packing.one_two.size(); ++size) {
      EXPECT_THAT([&] { unpack_all(packing.unpack, packing.one_two.substr(0, size), 7, 100); },
                  ThrowsMessage<DataError>(HasSubstr("in: the ")))
          << size;
    }
  }
}

TEST(Unpack, TheLimitIsTheMostThatMayComeOut) {
  for (const Packing& packing : kPackings) {
    EXPECT_EQ(unpack_all(packing.unpack, packing.one_two, 1000, 3, 8).size(), 8u);
    EXPECT_THAT([&] { unpack_all(packing.unpack, packing.one_two, 1000, 3, 7); },
                ThrowsMessage<DataError>(HasSubstr("in: unpacks to more than 7 bytes")));
    EXPECT_THROW(unpack_all(packing.unpack, packing.one_two + packing.one_two, 1000, 3, 15), DataError)
        << "streams one after the other count together";
  }
}

TEST(Unpack, ABitThatTurnedIsNoticedOrDoesNotMatter) {
  for (const Packing& packing : kPackings) {
    int noticed = 0;
    for (std::size_t bit = 0; bit < 8 * packing.one_two.size(); ++bit) {
      std::string damaged = packing.one_two;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      try {
        EXPECT_EQ(unpack_all(packing.unpack, damaged, 1000, 1000), "one\ntwo\n") << "bit " << bit;
      } catch (const DataError&) {
        ++noticed;
      }
    }
    EXPECT_GT(noticed, 100);
  }
}

}  // namespace
}  // namespace wordsway
