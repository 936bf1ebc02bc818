#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

using grammar::Rule;

// clang-format off: the tables are wrapped like prose
constexpr Rule kTraining[] = {
    // Before an opinion, and after it.
    {"aside",
     "to be honest,|honestly,|frankly,|truly,|in my view,|in my opinion,|to my mind,|for what it is worth,|if you ask "
     "me,|i must say,|as far as i can tell,|looking back,|all things considered,|in all fairness,|between you and me,|"
     "say what you will,|when all is said and done,|let me be clear:|i will say this:|as i told my {relative},|no "
     "doubt "
     "about it:|make no mistake:|without a doubt,|believe it or not,|like it or not,|on the whole,|by and large,|at "
     "the "
     "end of the day,|here is what i think:|let us face it:|i am sure of it:|quite simply,"},
    {"tail",
     "from start to finish|in every way|from the first minute|to the last frame|beyond any doubt|no matter what others "
     "say|even on a small screen|in spite of the price of the tickets|to my surprise|, and i say so openly|, and that "
     "is "
     "the truth|, and my {relative} agrees|, and nobody can change my mind|, plain and simple|, nothing else|, no "
     "question|, i am afraid|, as i had expected|, as far as i am concerned|, you can believe me|, and that is that"},
    // Before a fact about the viewer.
    {"fact_aside",
     "by the way,|incidentally,|for the record,|as it happens,|just so you know,|i should add that|i may as well say "
     "that|as my friends know,|in case you wonder,|to give you some background,|as usual,|let me add that|if i "
     "remember "
     "rightly,|as my {relative} can tell you,"},
    {"chance",
     "given the chance,|if asked,|some day,|next week,|next month,|tomorrow,|any day,|on a rainy day,|given a free "
     "evening,|with time on my hands,|now that i know it,|after a good night's sleep,|together with my {relative},"},
};
constexpr Rule kHeldOut[] = {
    {"aside",
     "to tell the truth,|if i am honest,|speaking for myself,|from where i sat,|taken as a whole,|mark my words:|as i "
     "see "
     "it,|one thing is certain:|having slept on it,|as i said to my {relative},"},
    {"tail",
     "through and through|whatever the critics write|for two whole hours|from the opening shot onwards|, and i stand "
     "by "
     "that|, as my {relative} says too|, if you want to know"},
    {"fact_aside", "as a side note,|if anyone cares,|it may help to know that|one more detail:|for those who ask,"},
    {"chance", "if it came back to our cinema,|were it on tonight,|knowing what i know,|on a free weekend,"},
};
// clang-format on

}  // namespace

std::span<const Rule> phrase_rules(QuestionSplit split) {
  return split == QuestionSplit::kTraining ? std::span<const Rule>(kTraining) : kHeldOut;
}

}  // namespace wordsway::questions
