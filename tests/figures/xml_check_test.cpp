// The looking itself: what is wrong with a picture is seen.
#include "support/xml_check.h"

#include <gtest/gtest.h>

namespace wordsway::test {
namespace {

TEST(XmlCheck, TakesWhatIsWellFormed) {
  EXPECT_EQ(
      what_is_wrong_with_xml("<?xml version='1.0'?>\n<!-- a > b -->\n<svg a='1>2'><g/><t>a &lt; > b é</t></svg>\n"),
      "");
}

TEST(XmlCheck, SeesWhatIsNot) {
  for (const char* bad : {"", "text", "<a>", "<a></b>", "<a/><b/>", "<a>]]></a>", "<a>&</a>", "<a>&b c;</a>",
                          "<a>\x01</a>", "<a>\xff</a>", "<a>\xef\xbf\xbe</a>", "<a>a < b</a>", "<a", "<a/>more"})
    EXPECT_NE(what_is_wrong_with_xml(bad), "") << bad;
}

}  // namespace
}  // namespace wordsway::test
