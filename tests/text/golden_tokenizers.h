// The golden tokenizers and encodings of tests/golden/tokenizers (made by tests/golden/make_tokenizer_golden.py).
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway::test {

inline std::filesystem::path golden_folder() {
  return test::source_folder() / "tests" / "golden" / "tokenizers";
}

inline nlohmann::json read_golden(const std::filesystem::path& name) {
  std::ifstream stream(golden_folder() / name);
  return nlohmann::json::parse(stream);
}

/// {"ids", "odd_pieces", "words", "offsets"}, as the golden file writes an encoding.
inline nlohmann::json to_golden(const Encoding& encoding, const Tokenizer& tokenizer) {
  nlohmann::json words = nlohmann::json::array();
  for (const auto& word : encoding.words) words.push_back(word ? nlohmann::json(*word) : nlohmann::json());
  nlohmann::json odd_pieces = nlohmann::json::object();
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    if (encoding.pieces[i] != tokenizer.piece(encoding.ids[i])) odd_pieces[std::to_string(i)] = encoding.pieces[i];
  }
  return {{"ids", encoding.ids}, {"odd_pieces", odd_pieces}, {"words", words}, {"offsets", encoding.offsets}};
}

/// Expects the tokenizer to give the encodings of a golden case for all texts.
inline void expect_golden(const Tokenizer& tokenizer, const nlohmann::json& texts, const nlohmann::json& encodings) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (encodings[i].is_null()) continue;
    const Encoding encoding = tokenizer.encode(texts[i].get<std::string>());
    EXPECT_EQ(to_golden(encoding, tokenizer), encodings[i]) << "text " << i << ": " << texts[i];
  }
}

}  // namespace wordsway::test
