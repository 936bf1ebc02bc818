#include "wordsway/study/attention_array_study.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/source_files.h"

namespace wordsway {
namespace {

std::string digest_of(const std::filesystem::path& file) {
  return digest_of_file(note_file("arrays", file), DigestCache{});
}

bool is_intact(const std::filesystem::path& file, const std::string& digest) {
  return path_exists(file) && digest_of(file) == digest;
}

}  // namespace

AttentionArrayStudy::AttentionArrayStudy(AttentionArrayConfig config)
    : config_(std::move(config)), part_(parse_attention(config_.layer, config_.head, *config_.transformer)) {
  if (size() == 0) throw UsageError("there is no text whose attention could be written");
}

Record AttentionArrayStudy::config() const {
  return {{"model", config_.transformer->name()},
          {"texts", config_.texts.name()},
          {"layer", config_.layer},
          {"head", config_.head}};
}

StudyContent AttentionArrayStudy::content() const {
  Record content = config_.transformer->content();
  content.merge(config_.texts.content());
  return {content, {{"model"}, {"texts"}}};
}

double AttentionArrayStudy::memory_bytes(Index task) const {
  // The heads of a layer twice, as matrices and as one array, plus what a forward pass holds.
  const double n = static_cast<double>(config_.texts.length(task));
  const ModelConfig& model = config_.transformer->config();
  return sizeof(float) * n *
         (2 * n * static_cast<double>(part_.range.heads) + 12 * static_cast<double>(model.hidden_size));
}

double AttentionArrayStudy::work(Index task) const {
  constexpr double kSpeed = 10;  // float32 products run ten times as fast as other work
  const Index n = config_.texts.length(task), layers = part_.range.first_layer + part_.range.layers - 1;
  double numbers = 1;
  for (const Index extent : part_.shape(n)) numbers *= static_cast<double>(extent);
  return config_.transformer->config().forward_flops(n, layers) / kSpeed + 20 * numbers;
}

std::filesystem::path AttentionArrayStudy::file_of(Index text) const {
  return config_.folder / fmt::format("{:06}.npy", text);
}

Record AttentionArrayStudy::write(Index text) const {
  const MatrixF x = config_.transformer->embed(config_.texts.ids(text));
  const std::filesystem::path file = file_of(text);
  write_attention(file, *config_.transformer, x, part_);
  const std::vector<Index> shape = part_.shape(x.rows());
  Record row = key(text);
  row.set("n", static_cast<std::int64_t>(x.rows()));
  row.set("file", file.filename().string());
  row.set("shape", std::vector<std::int64_t>(shape.begin(), shape.end()));
  row.set("digest", digest_of(file));
  return row;
}

std::vector<Record> AttentionArrayStudy::run(Index task) const {
  Record row = write(task);
  const std::lock_guard lock(mutex_);
  written_.insert(task);
  return {std::move(row)};
}

Index AttentionArrayStudy::restore(const std::vector<Record>& rows, const Progress& progress) const {
  ProgressCounter counter(progress, "check files", static_cast<double>(rows.size()));
  Index restored = 0;
  for (const Record& row : rows) {
    counter.step();
    const auto text = static_cast<Index>(row.number("text"));
    if (is_failed(row) || written_.contains(text) || is_intact(file_of(text), row.text("digest"))) continue;
    if (write(text).text("digest") != row.text("digest"))
      throw DataError(
          fmt::format("{}: the attention of this text is not the one that the journal tells of; another build or "
                      "machine made that. "
                      "Write to another folder, or remove this one's journal to begin again",
                      file_of(text).string()));
    ++restored;
  }
  return restored;
}

}  // namespace wordsway
