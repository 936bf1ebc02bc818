// How well do the power iterations of `words --fast` rank words, beside the full ascent, and at what cost?
//
//   bench_words [MODEL_FOLDER]        the built-in model by default
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include <fmt/format.h>

#include "support/roofs.h"
#include "wordsway/model/model_map.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {
namespace {

constexpr const char* kTexts[] = {"the film was not nearly as good as everyone said it would be",
                                  "turn off the dark mode before you leave the room",
                                  "she gave a quiet performance that stays with you for days"};

struct Model {
  std::shared_ptr<const Transformer> transformer;
  std::unique_ptr<Tokenizer> tokenizer;
};

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

Timed each_token(Index tokens, const std::function<double(Index)>& measure) {
  Timed result;
  const double begin = bench::now();
  for (Index token = 1; token + 1 < tokens; ++token) result.values.push_back(measure(token));
  result.seconds = bench::now() - begin;
  return result;
}

void compare(const Model& model, double relative_radius, const std::string& text) {
  const Encoding encoding = model.tokenizer->encode(text);
  const ModelMap map(model.transformer, {model.transformer->config().layers, false});
  const auto sample = map.at(model.transformer->embed(encoding.ids).cast<double>());
  const double radius = relative_radius * std::sqrt(static_cast<double>(model.transformer->config().hidden_size));
  const Timed fast = each_token(
      encoding.size(), [&](Index token) { return estimate_token_by_power(*sample, token, radius, 6, Stream(1)); });
  const Timed full = each_token(encoding.size(), [&](Index token) {
    return measure_token(*sample, token, {.radius = Radius::absolute(radius), .starts = 1, .tolerance = 1e-3},
                         Stream(1))
        .sensitivity;
  });
  const auto [least, most] = std::minmax_element(full.values.begin(), full.values.end());
  const auto top = std::max_element(fast.values.begin(), fast.values.end()) - fast.values.begin();
  fmt::print("{:>8}{:>8}{:>14.2f}{:>10}{:>9.3f} … {:.3f}{:>10.3f}{:>10.3f}{:>8.1f}\n", relative_radius,
             full.values.size(), spearman(fast.values, full.values),
             top == most - full.values.begin() ? "same" : "other", *least, *most, fast.seconds, full.seconds,
             full.seconds / fast.seconds);
}

}  // namespace
}  // namespace wordsway

int main(int count, char** arguments) {
  using namespace wordsway;
  const std::string folder = count > 1 && arguments[1][0] != '-' ? arguments[1] : WORDSWAY_SOURCE_MODELS "/builtin";
  const Model model{Transformer::load(folder), load_tokenizer(folder)};
  fmt::print("words --fast against the full ascent, {}, last layer\n", folder);
  fmt::print("{:>8}{:>8}{:>14}{:>10}{:>17}{:>10}{:>10}{:>8}\n", "radius", "tokens", "rank corr.", "top", "full S",
             "fast, s", "full, s", "ratio");
  for (const double radius : {0.1, 0.3, 1.0})
    for (const char* text : kTexts) compare(model, radius, text);
}
