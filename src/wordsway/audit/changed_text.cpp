#include "wordsway/audit/changed_text.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "wordsway/audit/embed.h"
#include "wordsway/core/cosine.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"
#include "wordsway/model/next_word_head.h"

namespace wordsway {
namespace {

// The rows of a text as a changed word divides them: before it, its own, after it, and the template's last ones.
struct Division {
  std::array<Index, 5> begin;  // of the four parts, and the end

  Index size(int part) const { return begin[static_cast<size_t>(part) + 1] - begin[static_cast<size_t>(part)]; }
};

Division divide(const Encoding& encoding, Index place_begin, Index place_end) {
  const Index n = encoding.size();
  const auto is_word = [&](Index k) { return encoding.words[static_cast<size_t>(k)].has_value(); };
  const auto bytes = [&](Index k) { return encoding.byte_offsets[static_cast<size_t>(k)]; };
  Index words_end = n;
  while (words_end > 0 && !is_word(words_end - 1)) --words_end;
  Index first = 0;
  while (first < words_end && !(is_word(first) && bytes(first)[1] > place_begin)) ++first;
  Index last = first;
  while (last < words_end && bytes(last)[0] < place_end) ++last;
  // A byte-level token may be the space before the word.
  const auto word = [&](Index k) { return encoding.words[static_cast<size_t>(k)]; };
  while (first > 0 && last > first && word(first - 1) == word(first)) --first;
  return {{0, first, last, words_end, n}};
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

int likeliest(const Matrix& logits) {
  Index top = 0;
  logits.row(0).maxCoeff(&top);
  return static_cast<int>(top);
}

// Texts whose encodings are held at once. A device takes thousands of texts in one batch, and there should be a batch
// for every thread that makes one ready.
size_t texts_at_once(const Transformer& transformer) {
  return transformer.engine() != nullptr ? 65536 : 4096;
}

}  // namespace

std::vector<Word> words_of(const std::string& text, const Encoding& encoding) {
  std::vector<Word> words;
  std::optional<int> current;
  for (size_t k = 0; k < encoding.ids.size(); ++k) {
    if (!encoding.words[k]) continue;
    if (encoding.words[k] != current) words.push_back({"", encoding.offsets[k], encoding.byte_offsets[k], {}});
    current = encoding.words[k];
    words.back().characters[1] = encoding.offsets[k][1];
    words.back().bytes[1] = encoding.byte_offsets[k][1];
    words.back().tokens.push_back(static_cast<Index>(k));
  }
  for (Word& word : words) {
    // Byte-level tokens may begin with the space before them.
    while (word.bytes[0] + 1 < word.bytes[1] && text[static_cast<size_t>(word.bytes[0])] == ' ') {
      ++word.bytes[0];
      ++word.characters[0];
    }
    word.text = text.substr(static_cast<size_t>(word.bytes[0]), static_cast<size_t>(word.bytes[1] - word.bytes[0]));
  }
  return words;
}

ChangedText::ChangedText(const Model& model, std::string text, Encoding encoding, const ChangeOptions& options)
    : model_(model),
      text_(std::move(text)),
      encoding_(std::move(encoding)),
      prompt_(options.prompt),
      map_(model.transformer, options.output.value_or(last_layer(*model.transformer))),
      words_(words_of(text_, encoding_)) {
  const auto sample = map_.at(model_.transformer->embed(encoding_.ids).cast<double>());
  check_features(*sample);
  features_ = sample->features();
  norm_ = sample->feature_norm();
}

ChangedText::ChangedText(const Model& model, const std::string& text, const ChangeOptions& options)
    : ChangedText(
          model, text,
          encode_texts(model, std::vector<LabelledText>{{text, std::nullopt, "0"}}, {.prompt = options.prompt}).front(),
          options) {}

std::optional<int> ChangedText::next() const {
  if (!map_.readout().is_distribution()) return std::nullopt;
  return likeliest(features_);
}

ChangedText::Place ChangedText::place_of(const WordEdit& edit) const {
  const Word& word = words_.at(edit.word);
  const auto begin = static_cast<size_t>(word.bytes[0]), end = static_cast<size_t>(word.bytes[1]);
  if (edit.article)
    return {static_cast<size_t>(words_.at(edit.word - 1).bytes[0]), end, *edit.article + " " + edit.replacement};
  if (!edit.replacement.empty()) return {begin, end, edit.replacement};
  if (begin > 0 && text_[begin - 1] == ' ') return {begin - 1, end, ""};
  if (begin == 0 && end < text_.size() && text_[end] == ' ') return {begin, end + 1, ""};
  return {begin, end, ""};
}

std::string ChangedText::with(const WordEdit& edit) const {
  const Place place = place_of(edit);
  return text_.substr(0, place.begin) + place.text + text_.substr(place.end);
}

LabelledText ChangedText::labelled(const WordEdit& edit) const {
  const std::string& word = words_[edit.word].text;
  return {with(edit), std::nullopt,
          edit.replacement.empty() ? fmt::format("without '{}'", word)
                                   : fmt::format("with '{}' for '{}'", edit.replacement, word)};
}

ChangedText::Reference ChangedText::reference_for(const WordEdit& edit, const Encoding& changed) const {
  const Word& word = words_[edit.word];
  const Place place = place_of(edit);
  const auto begin = static_cast<Index>(place.begin);
  const Division here = divide(encoding_, edit.article ? begin : word.bytes[0], word.bytes[1]);
  const Division there = divide(changed, begin, begin + static_cast<Index>(place.text.size()));
  Reference result{features_, 0, {there.begin[1], there.begin[2]}};
  if (map_.output().is_vector()) return result;
  result.features.setZero(changed.size(), features_.cols());
  for (int part = 0; part < 4; ++part) {
    const Index both = std::min(here.size(part), there.size(part));
    const Index from = here.begin[static_cast<size_t>(part)], to = there.begin[static_cast<size_t>(part)];
    result.features.middleRows(to, both) = features_.middleRows(from, both);
    result.missing += features_.middleRows(from + both, here.size(part) - both).squaredNorm();
  }
  return result;
}

std::vector<std::optional<TextChange>> ChangedText::evaluate(std::span<const WordEdit> edits,
                                                             const std::function<void()>& each) const {
  EmbedOptions embed;
  embed.output = map_.output();
  std::vector<std::optional<TextChange>> changes(edits.size());
  std::mutex mutex;
  const size_t chunk = texts_at_once(*model_.transformer);
  for (size_t begin = 0; begin < edits.size(); begin += chunk) {
    throw_if_stopped();
    std::vector<LabelledText> texts;
    std::vector<size_t> numbers;
    for (size_t k = begin; k < std::min(edits.size(), begin + chunk); ++k) {
      LabelledText text = labelled(edits[k]);
      const bool has_tokens = !is_blank(prompt_ + text.text) || model_.tokenizer->special_token_count() > 0;
      if (!has_tokens) continue;
      texts.push_back(std::move(text));
      numbers.push_back(k);
    }
    const auto encodings = encode_texts(model_, texts, {.prompt = prompt_});
    for_each_embedding(model_, texts, encodings, embed, [&](size_t t, const MatrixF& matrix) {
      const Matrix features = map_.readout().features(matrix);
      const Reference reference = reference_for(edits[numbers[t]], encodings[t]);
      const double squared = (features - reference.features).squaredNorm() + reference.missing;
      TextChange found{std::sqrt(squared) / norm_};
      if (map_.readout().is_distribution()) {
        found.divergence = jensen_shannon_divergence(features.row(0).cast<float>(), features_.row(0).cast<float>());
        found.next = likeliest(features);
      } else if (map_.output().is_vector()) {
        found.cosine = cosine_of(features.row(0), features_.row(0));
      }
      changes[numbers[t]] = found;
      if (!each) return;
      const std::lock_guard lock(mutex);
      each();
    });
  }
  return changes;
}

Matrix ChangedText::slope_of(const Matrix& features, const Matrix& reference) const {
  if (!map_.readout().is_distribution()) return 2 / (norm_ * norm_) * (features - reference);
  return jensen_shannon_gradient(features.row(0).cast<float>(), reference.row(0).cast<float>()).cast<double>();
}

// Texts share their forwards and vjps as in audit/embed.cpp, and for the same reason.
std::vector<std::optional<Vector>> ChangedText::slopes(std::span<const WordEdit> edits) const {
  std::vector<LabelledText> texts;
  for (const WordEdit& edit : edits) texts.push_back(labelled(edit));
  const auto encodings = encode_texts(model_, texts, {.prompt = prompt_});
  const std::vector<RaggedBatch> batches = ragged_batches(encodings);
  std::vector<std::optional<Vector>> result(edits.size());
  const Transformer& transformer = *model_.transformer;
  parallel_for(static_cast<Index>(batches.size()), [&](Index item) {
    const RaggedBatch& batch = batches[static_cast<size_t>(item)];
    MatrixF x(batch.rows(), transformer.config().hidden_size);
    for (size_t t = batch.begin; t < batch.end; ++t)
      x.middleRows(batch.row(t), encodings[t].size()) = transformer.embed(encodings[t].ids);
    TransformerTrace trace;
    const MatrixF hidden = transformer.forward(x, map_.output().layer, AttentionMask::of_texts(batch.lengths), trace);
    MatrixF cotangent(hidden.rows(), hidden.cols());
    std::vector<std::array<Index, 2>> places;
    for (size_t t = batch.begin; t < batch.end; ++t) {
      const MatrixF rows = hidden.middleRows(batch.row(t), encodings[t].size());
      const Reference reference = reference_for(edits[t], encodings[t]);
      places.push_back(reference.place);
      cotangent.middleRows(batch.row(t), rows.rows()) =
          map_.features_vjp(rows, slope_of(map_.features_of(rows), reference.features));
    }
    const MatrixF gradient = transformer.vjp(trace, cotangent);
    for (size_t t = batch.begin; t < batch.end; ++t) {
      const auto [begin, end] = places[t - batch.begin];
      if (end - begin == 1) result[t] = gradient.row(batch.row(t) + begin).transpose().cast<double>();
    }
  });
  return result;
}

}  // namespace wordsway
