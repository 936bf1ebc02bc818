#include "wordsway/text/tokenizer/text_stream.h"

#include "wordsway/text/tokenizer/tokenizer_parts.h"

namespace wordsway {

TextStream::TextStream(const Tokenizer& tokenizer, bool skip_special)
    : parts_(tokenizer.parts_.get()),
      skip_special_(skip_special),
      chain_(std::make_unique<DecodingChain>(parts_->decoding)) {}
TextStream::~TextStream() = default;
TextStream::TextStream(TextStream&&) noexcept = default;
TextStream& TextStream::operator=(TextStream&&) noexcept = default;

std::string TextStream::add(int id) {
  const auto token = parts_->decoded_token(id);
  if (!token || (skip_special_ && parts_->special_tokens.contains(*token))) return {};
  return chain_->add(*token);
}

std::string TextStream::finish() {
  std::string rest = chain_->finish();
  chain_ = std::make_unique<DecodingChain>(parts_->decoding);
  return rest;
}

std::string Tokenizer::decode(std::span<const int> ids, bool skip_special) const {
  TextStream stream(*this, skip_special);
  std::string text;
  for (const int id : ids) text += stream.add(id);
  return text + stream.finish();
}

}  // namespace wordsway
