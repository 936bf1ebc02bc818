// How well does the linear estimate of `words --fast` rank words, beside the full ascent, and at what cost?
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "support/roofs.h"
#include "wordsway/model/model_map.h"
#include "wordsway/sensitivity/linear_estimate.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/text/tokenizer.h"

namespace wordsway {
namespace {

constexpr const char* kTexts[] = {"the film was not nearly as good as everyone said it would be",
                                  "turn off the dark mode before you leave the room",
                                  "she gave a quiet performance that stays with you for days"};

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

void compare(const std::shared_ptr<const Encoder>& encoder, const Tokenizer& tokenizer, const std::string& text) {
  const Encoding encoding = tokenizer.encode(text);
  const ModelMap map(encoder, {encoder->config().layers, false});
  const auto sample = map.at(encoder->embed(encoding.ids).cast<double>());
  const double radius = std::sqrt(static_cast<double>(encoder->config().hidden_size));
  std::vector<double> fast, full;
  double fast_seconds = 0, full_seconds = 0;
  for (Index token = 1; token + 1 < encoding.size(); ++token) {
    double begin = bench::now();
    fast.push_back(estimate_token_linearly(*sample, token, radius, 4, Stream(1)));
    fast_seconds += bench::now() - begin;
    begin = bench::now();
    full.push_back(
        measure_token(*sample, token, {.radius = radius, .starts = 1, .tolerance = 1e-3}, Stream(1)).sensitivity);
    full_seconds += bench::now() - begin;
  }
  const auto top = [](const std::vector<double>& v) { return std::max_element(v.begin(), v.end()) - v.begin(); };
  fmt::print("{:>8}{:>14.2f}{:>10}{:>12.3f}{:>12.3f}{:>10.1f}\n", fast.size(), spearman(fast, full),
             top(fast) == top(full) ? "same" : "other", fast_seconds, full_seconds, full_seconds / fast_seconds);
}

}  // namespace
}  // namespace wordsway

int main() {
  using namespace wordsway;
  const std::string folder = WORDSWAY_SOURCE_MODELS "/builtin";
  const std::shared_ptr<const Encoder> encoder = Encoder::load(folder);
  const auto tokenizer = load_tokenizer(folder);
  fmt::print("words --fast against the full ascent, built-in model, last layer\n");
  fmt::print("{:>8}{:>14}{:>10}{:>12}{:>12}{:>10}\n", "tokens", "rank corr.", "top", "fast, s", "full, s", "ratio");
  for (const char* text : kTexts) compare(encoder, *tokenizer, text);
}
