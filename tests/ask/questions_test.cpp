// What every registered question must declare. A new question is tested automatically.
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;

class QuestionConformance : public testing::TestWithParam<std::string> {
 protected:
  const Question& question_ = *question_registry().get(GetParam());
};

TEST_P(QuestionConformance, TellsPeopleWhatItIsFor) {
  const Guide& guide = question_.guide();
  EXPECT_FALSE(guide.summary.empty());
  EXPECT_NE(guide.summary.back(), '.');
  EXPECT_THAT(guide.examples, testing::StartsWith("  wordsway " + GetParam()));
  EXPECT_FALSE(guide.row_keys.empty());
}

TEST_P(QuestionConformance, EveryFieldHasHelpAndItsOwnNameInEveryFrontEnd) {
  for (const FrontEnd front_end : {FrontEnd::kShell, FrontEnd::kPython, FrontEnd::kPage}) {
    std::set<std::string> names;
    for (const FieldInfo* field : question_.fields().infos()) {
      if (!field->is_for(front_end)) continue;
      EXPECT_TRUE(names.insert(field->name_in(front_end)).second) << field->name;
      EXPECT_FALSE(field->help.empty() && !field->hidden) << field->name;
      EXPECT_EQ(field->help.find('\n'), std::string::npos) << field->name;
      EXPECT_LE(field->range.least, field->range.most) << field->name;
    }
  }
}

TEST_P(QuestionConformance, TakesTheDefaultsItShows) {
  AnyRequest request = question_.request();
  for (const AnyField& field : question_.fields().fields) {
    const std::string value = field.show(request.get());
    if (value.empty() || field.info.kind == FieldKind::kFlag) continue;
    AnyRequest changed = question_.request();
    EXPECT_NO_THROW(changed.set(field, Written{{value}})) << field.info.name;
    EXPECT_EQ(field.show(changed.get()), value) << field.info.name;
  }
}

TEST_P(QuestionConformance, RefusesNumbersOutsideTheirRanges) {
  for (const AnyField& field : question_.fields().fields) {
    const FieldInfo& info = field.info;
    if (info.kind != FieldKind::kWhole && info.kind != FieldKind::kNumber) continue;
    if (info.range.least < -1e300) continue;
    AnyRequest request = question_.request();
    try {
      request.set(field, Written{{"-1e18"}});
      ADD_FAILURE() << info.name << " takes -1e18";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("{" + info.name + "}"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, QuestionConformance, testing::ValuesIn(question_names()),
                         [](const auto& name) { return name.param; });

TEST(Questions, HaveDifferentPlacesInLists) {
  std::map<int, std::string> places;
  for (const std::string& name : question_names()) {
    const auto [place, is_new] = places.emplace(question_registry().get(name)->guide().order, name);
    EXPECT_TRUE(is_new) << name << " and " << place->second;
  }
}

struct Inner {
  Index n = 3;

  static void describe(Fields<Inner>& fields) {
    fields.whole("n", &Inner::n, {1, 10}, "How many");
    fields.check([](const Inner& inner) {
      if (inner.n == 7) throw UsageError("{n} is 7");
    });
  }
};

struct Outer {
  Inner inner;
  SeedChoice seed;
  bool pad = false;
  std::string out;

  static void describe(Fields<Outer>& fields) {
    fields.include(&Outer::inner);
    fields.include(&Outer::seed);
    fields.flag("pad", &Outer::pad, "Whether to pad");
    fields.path("out", &Outer::out, FieldKind::kOutput, "Where to");
    fields.check([](const Outer&, const GivenNames& given) {
      if (given.contains("pad") && !given.contains("n")) throw UsageError("{pad} needs {n}");
    });
  }
};

TEST(Fields, IncludedFieldsAndChecksAreThoseOfTheRequest) {
  FieldTable table;
  Fields<Outer> fields(table);
  Outer::describe(fields);
  ASSERT_NE(table.find("n"), nullptr);
  EXPECT_EQ(table.find("m"), nullptr);
  const auto outer = std::make_shared<Outer>();
  AnyRequest request(table, outer);
  EXPECT_NO_THROW(request.check());
  request.set(*table.find("pad"), true);
  EXPECT_THROW(request.check(), UsageError);
  request.set(*table.find("n"), std::int64_t{7});
  EXPECT_EQ(outer->inner.n, 7);
  EXPECT_THROW(request.check(), UsageError);
  request.set(*table.find("n"), std::int64_t{8});
  EXPECT_NO_THROW(request.check());
}

TEST(Fields, SettingsAreTheFieldsThatDecideTheRows) {
  Outer outer;
  outer.inner.n = 5;
  outer.out = "rows.csv";
  EXPECT_EQ(settings_of(outer), (Record{{"n", "5"}, {"seed", "1"}, {"pad", ""}}));
}

}  // namespace
}  // namespace wordsway
