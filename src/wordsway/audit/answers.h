// The answers of a decoder to two prompts that differ in a word, and how much the word changes its predictions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wordsway/audit/generate.h"

namespace wordsway {

struct Answers {
  Generation a, b;
  std::vector<std::string> words;  // that the prompts do not share: those of the first, then those of the second
  /// The first step at which the continuations have different tokens or one of them has ended; nothing if they are
  /// equal.
  std::optional<Index> first_difference;
  /// One number for each token of a's continuation: the divergence of the next-token distributions after both prompts,
  /// when a's tokens before it follow both. Steps for which the second text has no position left are missing.
  std::vector<double> divergence;
};

/// Like GenerateOptions::on_text, told apart by whose text it is: 'a' or 'b'.
using OnAnswer = std::function<bool(char side, std::string_view more)>;

/// Answers both prompts with the same options and, when sampling, the same random numbers. `on_answer`, which replaces
/// options.on_text, receives the growing text of the first answer and then of the second. Throws what generate()
/// throws.
Answers compare_answers(const Model& model, const std::string& prompt_a, const std::string& prompt_b,
                        const GenerateOptions& options = {}, const OnAnswer& on_answer = {});

/// Every token as text for people: special tokens are included, and line breaks become
/// .
std::vector<std::string> token_texts(const Tokenizer& tokenizer, std::span<const int> ids);

/// Two prompts about a film that differ in one word, which decides the answer: a held-out film question
/// (text/questions), in sentences that the built-in decoder was not trained on.
std::pair<std::string, std::string> builtin_prompts();

/// One JSON object: a and b as rows of `generate`, words, first_difference, divergence, and what fields_of(device)
/// gives.
std::string to_json(const Answers& answers, const Device& device = {});

}  // namespace wordsway
