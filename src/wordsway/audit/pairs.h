// How similar the texts of pairs are to an encoder, after every step from the embedding to the vector.
//
//   similarity = cosine of the vectors of two texts        steps: embedding, layer 1 … L, then those of the chain
//
// After the embedding and every layer the rows are pooled as the model pools its last ones. Where pooling is a weighted
// sum p = Σ_k w_k h_k, the difference D of two texts is that of the changed words' own rows, O, and that of all others:
// own share = ⟨O, D⟩/‖D‖², and the others' is the rest.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/core/progress.h"
#include "wordsway/text/pairs/text_pair.h"

namespace wordsway {

struct PairSimilarity {
  double changed = 0;                                 // of anchor and changed text
  std::optional<double> control = {};                 // of anchor and control
  std::vector<double> by_step = {};                   // `changed` after every step; empty where vectors were given
  std::vector<double> control_by_step = {};           // the control's, if there is one
  std::vector<std::optional<double>> own_share = {};  // after the embedding and every layer; nothing where D is 0
};

/// "embedding", "layer 1", …, "layer L", then "dense", "normalise" and the like.
std::vector<std::string> similarity_steps(const Transformer& transformer);

/// Encodings of texts, by text.
using EncodedByText = std::unordered_map<std::string, Encoding>;

/// One for each pair. `prompt` goes before every text. Same bits with any number of threads. Throws DataError when a
/// vector is not finite, and what encode_texts throws.
std::vector<PairSimilarity> pair_similarities(const Model& model, std::span<const TextPair> pairs,
                                              const std::string& prompt = {}, const Progress& progress = {});
/// With texts that were encoded already, with the prompt; `encoded` must have all of them.
std::vector<PairSimilarity> pair_similarities(const Model& model, std::span<const TextPair> pairs,
                                              const std::string& prompt, const EncodedByText& encoded,
                                              const Progress& progress = {});

/// The texts of all pairs, each once, in the order in which they appear: anchor, changed, control of every pair.
std::vector<std::string> distinct_texts(std::span<const TextPair> pairs);

/// Computes the similarities from vectors made elsewhere: row k is that of distinct_texts(pairs)[k]. Throws DataError
/// if the number of rows differs, or a row is zero or not finite.
std::vector<PairSimilarity> pair_similarities(std::span<const TextPair> pairs, const Matrix& vectors);

/// One unit vector for each text, [texts, d], from the model: what cosines of many texts are made of. Throws as
/// pair_similarities does.
Matrix unit_vectors(const Model& model, std::span<const std::string> texts, const std::string& prompt = {},
                    const Progress& progress = {});
/// With texts that were encoded already, with the prompt; `encoded` must have all of them.
Matrix unit_vectors(const Model& model, std::span<const std::string> texts, const std::string& prompt,
                    const EncodedByText& encoded, const Progress& progress = {});
/// Normalises vectors made elsewhere.
Matrix unit_vectors(const Matrix& vectors, Index texts);

}  // namespace wordsway
