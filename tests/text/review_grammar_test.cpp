#include <string>

#include <gtest/gtest.h>

#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

TEST(ReviewGrammar, HasEveryRuleItRefersToForBothPolaritiesAndGenders) {
  const grammar::Grammar grammar(all_tables());
  for (const auto& [name, options] : grammar.rules()) {
    for (const std::string& option : options) {
      EXPECT_FALSE(option.empty()) << name;
      for (std::size_t open = option.find('{'); open != std::string::npos; open = option.find('{', open + 1)) {
        std::string reference = option.substr(open + 1, option.find('}', open) - open - 1);
        if (reference.starts_with('!') || reference.starts_with('=')) reference.erase(0, 1);
        for (const int polarity : {1, -1}) {
          for (const char gender : {'m', 'f'}) {
            EXPECT_NO_THROW(grammar.options(reference, polarity, gender)) << reference << " in " << name;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace wordsway::reviews
