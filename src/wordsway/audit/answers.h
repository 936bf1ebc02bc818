// Two prompts that differ in a word: what a decoder answers to each, and how far the word moves what it expects next.
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
  /// The first step at which the continuations have different tokens, or one of them has ended; nothing where they are
  /// the same.
  std::optional<Index> first_difference;
  /// For every token of a's continuation: how far the distributions of the next token after both prompts are from each
  /// other, when a's tokens before it follow both. Steps at which the second text has no position left are missing.
  std::vector<double> divergence;
};

/// Like GenerateOptions::on_text, told apart by whose text it is: 'a' or 'b'.
using OnAnswer = std::function<bool(char side, std::string_view more)>;

/// Both prompts are answered with the same options and, where tokens are drawn, with the same random numbers. With
/// `on_answer`, which takes the place of options.on_text, whoever calls sees the first text grow and then the second.
/// Throws what generate() throws.
Answers compare_answers(const Model& model, const std::string& prompt_a, const std::string& prompt_b,
                        const GenerateOptions& options = {}, const OnAnswer& on_answer = {});

/// Every token as text for people: special ones too, line breaks as \n.
std::vector<std::string> token_texts(const Tokenizer& tokenizer, std::span<const int> ids);

/// Two prompts about a film that differ in one word, which decides the answer: a held-out film question
/// (text/questions), in sentences that the built-in decoder did not learn from.
std::pair<std::string, std::string> builtin_prompts();

/// One JSON object: a and b as rows of `generate`, words, first_difference, divergence, and what fields_of(device)
/// gives.
std::string to_json(const Answers& answers, const Device& device = {});

}  // namespace wordsway
