// The quality and cost of the searches of `words` and `substitute`.
//
//   bench_words ball [MODEL [RADIUS]]   the search in the ball and --fast beside the best of 32 complete ascents
//   bench_words replacements [MODEL]    the screened search for the worst word beside the exhaustive one
//
// Without a folder it uses the built-in model, and without a radius, 0.1 and 1.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "support/roofs.h"
#include "wordsway/ascent/ascend.h"
#include "wordsway/audit/substitute.h"
#include "wordsway/audit/words.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

constexpr const char* kTexts[] = {"the film was not nearly as good as everyone said",
                                  "please turn off the dark mode before you leave",
                                  "my new phone stopped charging after the last update"};

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (size_t k = 0; k < order.size(); ++k) result[order[k]] = static_cast<double>(k);
  return result;
}

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const auto x = ranks(a), y = ranks(b);
  const double n = static_cast<double>(x.size());
  double squares = 0;
  for (size_t k = 0; k < x.size(); ++k) squares += (x[k] - y[k]) * (x[k] - y[k]);
  return 1 - 6 * squares / (n * (n * n - 1));
}

struct Timed {
  std::vector<double> values;
  double seconds = 0;
};

Timed timed(const std::function<std::vector<double>()>& measure) {
  const double begin = bench::now();
  std::vector<double> values = measure();
  return {std::move(values), bench::now() - begin};
}

// Complete ascents from random directions, 32 for every token.
std::vector<double> best_of_plain_ascents(const MappedSample& sample, const std::vector<Index>& tokens, double length) {
  constexpr Index kStarts = 32;
  std::vector<double> best;
  for (const Index token : tokens) {
    const auto view = sample.token(token);
    const auto change = view->change();
    const Stream stream = Stream(2).derive(static_cast<std::uint64_t>(token));
    Vector values(kStarts);
    parallel_for(kStarts, [&](Index s) {
      const Vector start = gaussian_vector(stream.derive(static_cast<std::uint64_t>(s)), change->dimension());
      values[s] = ascend(*change, start, {length, 500, view->advice().tolerance}).value;
    });
    best.push_back(std::sqrt(values.maxCoeff()) / sample.feature_norm());
  }
  return best;
}

ModelOutput output_of(const Model& model, bool pooled) {
  return {model.transformer->config().layers, pooled ? readout_named("pooled") : readout_named("all")};
}

// The share of words within 1% of the best of 32 starts, and how far the worst word is below it.
void compare_ball(const Model& model, bool pooled, double radius, size_t& words, size_t& near) {
  for (const char* text : kTexts) {
    const ModelMap map(model.transformer, output_of(model, pooled));
    const Encoding encoding = model.tokenizer->encode(text);
    const auto sample = map.at(model.transformer->embed(encoding.ids).cast<double>());
    std::vector<Index> tokens;
    for (const Word& word : words_of(text, encoding))
      tokens.insert(tokens.end(), word.tokens.begin(), word.tokens.end());
    const double length = Radius{radius}.of(sample->X().row(0));
    const SensitivityOptions search{.radius = {radius}, .starts = kBallStarts};
    const Timed full = timed([&] { return measure_tokens(*sample, tokens, search, Stream(1)).sensitivities; });
    const Timed best = timed([&] { return best_of_plain_ascents(*sample, tokens, length); });
    const Timed fast = timed([&] {
      std::vector<double> found;
      for (const Index token : tokens)
        found.push_back(estimate_token_by_power(*sample, token, length, kPowerIterations, Stream(1)));
      return found;
    });
    double worst = 0;
    size_t close = 0;
    for (size_t k = 0; k < tokens.size(); ++k) {
      const double below = 1 - full.values[k] / best.values[k];
      worst = std::max(worst, below);
      close += below <= 0.01 ? 1 : 0;
    }
    words += tokens.size();
    near += close;
    fmt::print("{:>8}{:>8}{:>8}{:>12}{:>12.1f}%{:>16.2f}{:>10.2f}{:>10.2f}{:>10.2f}\n", radius,
               pooled ? "pooled" : "last", tokens.size(), close, 100 * worst, spearman(fast.values, full.values),
               fast.seconds, full.seconds, best.seconds);
  }
}

void bench_ball(const Model& model, const std::vector<double>& radii) {
  fmt::print("{:>8}{:>8}{:>8}{:>12}{:>13}{:>16}{:>10}{:>10}{:>10}\n", "radius", "layer", "tokens", "within 1%",
             "most below", "rank, --fast", "fast, s", "full, s", "32, s");
  for (const double radius : radii) {
    size_t words = 0, near = 0;
    for (const bool pooled : {false, true}) compare_ball(model, pooled, radius, words, near);
    fmt::print("radius {}: {} of {} tokens within 1% of the best of 32 ascents ({:.1f}%)\n", radius, near, words,
               100.0 * static_cast<double>(near) / static_cast<double>(words));
  }
}

void bench_replacements(const Model& model, const Model& head) {
  const CandidateWords candidates(model, &head);
  fmt::print("{:>8}{:>8}{:>10}{:>14}{:>12}{:>12}{:>14}{:>12}\n", "layer", "words", "found", "evaluations", "mean loss",
             "most loss", "screened, s", "all, s");
  for (const bool pooled : {true, false})
    for (const Index evaluations : {Index{256}, Index{512}, Index{768}}) {
      size_t words = 0, same = 0;
      double loss = 0, most = 0, screened_s = 0, all_s = 0;
      for (const char* text : kTexts) {
        const ChangedText changed(model, text, {output_of(model, pooled)});
        SubstituteOptions ask;
        ask.evaluations = evaluations;
        const double begin = bench::now();
        const auto screened = substitute_words(changed, candidates, ask);
        const double middle = bench::now();
        ask.exhaustive = true;
        static std::map<std::pair<bool, const char*>, std::vector<double>> known;
        auto& best = known[{pooled, text}];
        if (best.empty()) {
          for (const auto& word : substitute_words(changed, candidates, ask))
            best.push_back(word.found.front().found.change);
          all_s += bench::now() - middle;
        }
        screened_s += middle - begin;
        for (size_t w = 0; w < best.size(); ++w) {
          const double below = 1 - screened[w].found.front().found.change / best[w];
          ++words;
          same += below <= 1e-7 ? 1 : 0;
          loss += below;
          most = std::max(most, below);
        }
      }
      fmt::print("{:>8}{:>8}{:>9.1f}%{:>14}{:>11.2f}%{:>11.2f}%{:>14.1f}{:>12.1f}\n", pooled ? "pooled" : "last", words,
                 100.0 * static_cast<double>(same) / static_cast<double>(words), evaluations,
                 100 * loss / static_cast<double>(words), 100 * most, screened_s, all_s);
    }
}

}  // namespace
}  // namespace wordsway

int main(int count, char** arguments) {
  using namespace wordsway;
  const std::string builtin = WORDSWAY_SOURCE_MODELS "/builtin";
  const std::string what = count > 1 ? arguments[1] : "ball";
  const Model model = load_model(count > 2 ? arguments[2] : builtin);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // minutes pass between rows
  fmt::print("{}: {}\n", what, model.transformer->name());
  if (what == "replacements") {
    bench_replacements(model, load_model(builtin));
  } else {
    bench_ball(model, count > 3 ? std::vector{std::stod(arguments[3])} : std::vector{0.1, 1.0});
  }
}
