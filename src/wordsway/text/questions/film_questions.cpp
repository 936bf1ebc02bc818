#include "wordsway/text/questions/film_questions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/questions/question_grammar.h"
#include "wordsway/text/questions/question_tables.h"

namespace wordsway {
namespace {

using grammar::Writer;
using questions::Answer;
using questions::QuestionKind;
using questions::Statement;
using questions::Topic;

constexpr std::uint64_t kSeed = 2402'02969;
constexpr int kPolarity = 1;  // no rule in use speaks for or against the film

Index count_words(std::string_view text) {
  return text.empty() ? 0 : std::count(text.begin(), text.end(), ' ') + 1;
}

// Blanks that an empty piece of a sentence left behind, at its beginning, before its comma or beside others, go.
std::string tidy(std::string_view sentence) {
  std::string out;
  for (const char c : sentence) {
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    const bool closes = c == '.' || c == ',' || c == '!' || c == '?';
    if (closes && !out.empty() && out.back() == ' ') out.pop_back();
    out += c;
  }
  return out;
}

const Statement& statement_named(std::string_view name) {
  const auto all = questions::statements();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Statement& one) { return one.name == name; });
  if (found == all.end()) throw UsageError("film questions: there is no statement '" + std::string(name) + "'");
  return *found;
}

bool is_opinion(Topic topic) {
  return topic == Topic::kVerdict || topic == Topic::kStars || topic == Topic::kFault || topic == Topic::kPeople;
}

// A verdict and a rating could contradict any other opinion; a fault of the script and a praised actor go together.
bool may_stand_beside(Topic asked, Topic other) {
  if (asked == other) return false;
  const auto sums_up = [](Topic topic) { return topic == Topic::kVerdict || topic == Topic::kStars; };
  return !(is_opinion(asked) && is_opinion(other) && (sums_up(asked) || sums_up(other)));
}

// A review in the making. Sentences still have both sides of their marks where they were left.
class ReviewDraft {
 public:
  ReviewDraft(QuestionSplit split, const Stream& stream)
      : split_(split), writer_(questions::question_grammar(split), stream) {}

  Writer& writer() { return writer_; }

  // A statement in one of its ways, in another one than before while others are left.
  std::string state(const Statement& statement) {
    constexpr int kAttempts = 6;
    const auto ways = split_ == QuestionSplit::kTraining ? statement.training : statement.held_out;
    std::string_view way = ways[writer_.below(ways.size())];
    for (int attempt = 0; attempt < kAttempts && used_.contains(way); ++attempt) way = ways[writer_.below(ways.size())];
    used_.insert(way);
    return tidy(writer_.expand(way, kPolarity));
  }

  // In every other review: a sentence with both words that the asked statement chooses from, or none.
  std::string mention(Topic topic) {
    constexpr double kShare = 0.5;
    const auto ways = questions::mentions(topic);
    if (ways.empty() || writer_.uniform() >= kShare) return {};
    return writer_.expand(ways[writer_.below(ways.size())], kPolarity);
  }

  // Plot, digressions and facts, until the review with its other `taken` words has about `words` words.
  void fill(Index words, Index taken, std::set<Topic> topics) {
    constexpr Index kHalfSentence = 7;  // the last sentence may go as far over as the review would be short without it
    Index missing = words - taken - kHalfSentence;
    if (missing > 0 && writer_.uniform() < 0.5) missing -= add(writer_.write("plain_opening", kPolarity));
    while (missing > 0) missing -= add(write_bystander(topics));
  }

  // Puts a sentence between two others, with its `offset`-th word as near as possible to a place drawn evenly from all
  // the places of the review; `offset` counts from the sentence's first word. Returns the place that the word got.
  Index insert_evenly(std::string sentence, Index offset) {
    Index total = count_words(sentence);
    for (const std::string& other : sentences_) total += count_words(other);
    const double wanted = writer_.uniform() * static_cast<double>(total) - 0.5;
    Index before = 0, best_place = offset;
    std::size_t best = 0;
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      before += count_words(sentences_[i]);
      const auto distance = [&](Index place) { return std::abs(static_cast<double>(place) - wanted); };
      if (distance(before + offset) >= distance(best_place)) break;
      best_place = before + offset;
      best = i + 1;
    }
    sentences_.insert(sentences_.begin() + static_cast<std::ptrdiff_t>(best), std::move(sentence));
    return best_place;
  }

  std::string text() const {
    std::string joined;
    for (const std::string& sentence : sentences_) joined += (joined.empty() ? "" : " ") + sentence;
    return joined;
  }

 private:
  Index add(std::string sentence) {
    const Index words = count_words(sentence);
    sentences_.push_back(std::move(sentence));
    return words;
  }

  // A sentence of the reviews that says nothing for or against, or a fact that could be asked for but is not.
  std::string write_bystander(std::set<Topic>& topics) {
    constexpr std::array<std::string_view, 6> kRules{"premise",    "premise",    "scene_fact",
                                                     "sound_fact", "digression", "digression"};
    constexpr double kFacts = 0.25;
    if (writer_.uniform() >= kFacts) return writer_.write(kRules[writer_.below(kRules.size())], kPolarity);
    const auto all = questions::statements();
    const std::size_t number = writer_.below(all.size() + 2);
    const Statement& fact = number < all.size() ? all[number] : questions::neutral_statement();
    const auto fits = [&](Topic topic) { return fact.topic == Topic::kNothing || may_stand_beside(topic, fact.topic); };
    if (!std::all_of(topics.begin(), topics.end(), fits)) return writer_.write("scene_fact", kPolarity);
    topics.insert(fact.topic);
    const int side = static_cast<int>(writer_.below(2));  // drawn first: arguments have no order of their own
    return grammar::take_side(state(fact), side);
  }

  QuestionSplit split_;
  Writer writer_;
  std::vector<std::string> sentences_;
  std::set<std::string_view> used_;
};

// A fact that is not asked for: mostly one that nobody asks for, else one that another question would ask for.
const Statement& draw_neutral(Writer& writer, Topic asked) {
  constexpr double kNobodyAsks = 0.6;
  if (writer.uniform() < kNobodyAsks) return questions::neutral_statement();
  const auto all = questions::statements();
  const Statement& fact = all[writer.below(all.size())];
  return may_stand_beside(asked, fact.topic) ? fact : questions::neutral_statement();
}

// Which word the first mark <a/b> of a sentence stands in.
Index marked_word(std::string_view sentence) {
  return count_words(sentence.substr(0, sentence.find('<') + 1)) - 1;
}

FilmQuestion write_question(const QuestionKind& kind, bool decides, Index words, QuestionSplit split,
                            const Stream& stream) {
  ReviewDraft draft(split, stream);
  Writer& writer = draft.writer();
  const int side = static_cast<int>(writer.below(2));
  const Answer& answer = kind.answers[writer.below(kind.answers.size())];
  const Statement& asked = statement_named(answer.statement);
  std::string stated = draft.state(asked), replied = writer.expand(answer.text, kPolarity);
  const std::string question = grammar::finish_text(writer.expand(kind.question, kPolarity));
  std::string changed = stated;
  std::set<Topic> topics{asked.topic};
  if (!decides) {
    const Statement& neutral = draw_neutral(writer, asked.topic);
    topics.insert(neutral.topic);
    changed = draft.state(neutral);
    stated = grammar::take_side(stated, side);
    replied = grammar::take_side(replied, side);
  }
  constexpr Index kRoomForMention = 45;
  std::string mention = words < kRoomForMention ? std::string() : draft.mention(asked.topic);
  const Index taken_words = count_words(changed) + count_words(mention) + (decides ? 0 : count_words(stated));
  draft.fill(words, taken_words, std::move(topics));
  if (!mention.empty()) draft.insert_evenly(std::move(mention), 0);
  if (!decides) draft.insert_evenly(std::move(stated), 0);
  FilmQuestion result;
  result.kind = kind.name;
  result.decides = decides;
  const Index offset = marked_word(changed);
  result.place = draft.insert_evenly(std::move(changed), offset);
  const std::string review = draft.text();
  for (const int i : {0, 1}) {
    const int taken = i == 0 ? side : 1 - side;
    const std::string text = grammar::finish_text(grammar::take_side(review, taken));
    result.words = count_words(text);
    result.prompts[i] = "Review: ";
    result.prompts[i].append(text).append(" ").append(question);
    result.answers[i] = grammar::finish_text(grammar::take_side(replied, taken));
  }
  return result;
}

}  // namespace

FilmQuestion film_question(std::uint64_t index, Index words, QuestionSplit split) {
  if (words < kShortestQuestion || words > kLongestQuestion) {
    throw UsageError("film questions are about reviews of " + std::to_string(kShortestQuestion) + " to " +
                     std::to_string(kLongestQuestion) + " words; " + std::to_string(words) + " were asked for");
  }
  const auto kinds = questions::question_kinds();
  const QuestionKind& kind = kinds[index / 2 % kinds.size()];
  const bool decides = index % 2 == 0;
  const Stream stream = Stream(kSeed)
                            .derive("film question")
                            .derive(split == QuestionSplit::kTraining ? "training" : "held-out")
                            .derive(index);
  // The two sides of a mark may be drawn alike, such as twice the same name; then all is drawn anew.
  for (std::uint64_t attempt = 0;; ++attempt) {
    FilmQuestion question = write_question(kind, decides, words, split, stream.derive(attempt));
    const bool answers_differ = question.answers[0] != question.answers[1];
    if (question.prompts[0] != question.prompts[1] && answers_differ == decides) return question;
  }
}

std::span<const std::string_view> film_question_kinds() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const QuestionKind& kind : questions::question_kinds()) all.push_back(kind.name);
    return all;
  }();
  return names;
}

std::string film_questions_digest() {
  constexpr std::uint64_t kQuestions = 500;
  Digest digest;
  for (const QuestionSplit split : {QuestionSplit::kTraining, QuestionSplit::kHeldOut}) {
    for (std::uint64_t index = 0; index < kQuestions; ++index) {
      const FilmQuestion question = film_question(index, 20 + static_cast<Index>(index % 180), split);
      for (const int i : {0, 1}) {
        digest.add(std::string_view(question.prompts[i]));
        digest.add(std::string_view(question.answers[i]));
      }
    }
  }
  return digest.text();
}

}  // namespace wordsway
