#include "wordsway/model/gguf_config.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/suggestion.h"
#include "wordsway/io/json.h"
#include "wordsway/model/architecture_registry.h"

namespace wordsway {
namespace {

constexpr const char* kArchitecture = "general.architecture";

const char* const kWindow = "attention.sliding_window";

// The entry that reads a file of this architecture, with a window or without.
const std::string* find_entry(const std::string& architecture, bool has_window) {
  static const std::vector<std::string> types = architecture_registry().names();
  const auto reads = [&](const std::string& type) {
    const std::optional<GgufNames>& names = architecture_registry().get(type).gguf;
    if (!names || names->architecture != architecture) return false;
    return names->window == GgufWindow::kOptional || (names->window == GgufWindow::kAlways) == has_window;
  };
  const auto found = std::ranges::find_if(types, reads);
  return found == types.end() ? nullptr : &*found;
}

// Reads the metadata key by key and puts the JSON object together.
class Translator {
 public:
  explicit Translator(const GgufSet& set)
      : set_(set), metadata_(set.metadata()), architecture_(metadata_.text(kArchitecture)) {}

  ConfigFile translate() {
    const std::string* const type = find_entry(architecture_, integer_or(kWindow, 0) != 0);
    if (type == nullptr)
      metadata_.fail(kArchitecture, fmt::format("is {}; supported are {}", json_quoted(architecture_),
                                                enumerate(gguf_architectures(), "and")));
    const GgufNames& gguf = architecture_registry().get(*type).gguf.value();
    config_.set("model_type", *type);
    names_["model_type"] = kArchitecture;
    for (const GgufName& key : gguf.integers) {
      names_[key.own] = full(key.gguf);
      if (has(key.gguf)) config_.set(key.own, std::int64_t{metadata_.integer(full(key.gguf))});
    }
    for (const GgufName& key : gguf.numbers) {
      names_[key.own] = full(key.gguf);
      if (has(key.gguf)) config_.set(key.own, finite_number(key.gguf));
    }
    if (!gguf.required_number.empty()) finite_number(gguf.required_number);
    refuse_unsupported();
    read_tensors();
    read_window(gguf.window);
    std::string json = to_json(config_);
    json.insert(json.size() - 1, scaling());
    ConfigFile file = ConfigFile::translated(set_.path(), json, std::move(names_));
    check_widths(file);
    return file;
  }

 private:
  std::string full(const std::string& key) const { return architecture_ + "." + key; }
  bool has(const std::string& key) const { return metadata_.contains(full(key)); }
  Index integer_or(const std::string& key, Index fallback) const {
    return has(key) ? metadata_.integer(full(key)) : fallback;
  }

  // JSON has no numbers that are not finite.
  double finite_number(const std::string& key) const {
    const double value = metadata_.number(full(key));
    if (!std::isfinite(value)) metadata_.fail(full(key), "holds a number that is not finite");
    return value;
  }

  void refuse_unsupported() const {
    if (const Index experts = integer_or("expert_count", 0); experts != 0)
      metadata_.fail(full("expert_count"), fmt::format("is {}; models of several experts are not supported", experts));
    if (has("attention.causal") && !metadata_.flag(full("attention.causal")))
      metadata_.fail(full("attention.causal"), "is false; tokens that see those after them are not supported");
  }

  void check_widths(const ConfigFile& file) const {
    const Index heads = file.integer("num_attention_heads", 1, ConfigLimits::kWidth);
    const Index shared = file.integer("hidden_size", 1, ConfigLimits::kWidth) / heads;
    const Index width = integer_or("attention.key_length", shared);
    for (const char* key : {"attention.value_length", "rope.dimension_count"}) {
      const Index value = integer_or(key, width);
      if (value != width)
        metadata_.fail(full(key), fmt::format("is {}; only the width of the keys, {}, is supported", value, width));
    }
  }

  void read_tensors() {
    const std::string table = "token_embd.weight";
    const TensorInfo& words = set_.file_of(table).info(table);
    config_.set("vocab_size", std::int64_t{words.shape.empty() ? 0 : words.shape.front()});
    names_["vocab_size"] = table;
    config_.set("tie_word_embeddings", !set_.contains("output.weight"));
    config_.set("attention_bias", set_.contains("blk.0.attn_q.bias"));
    config_.set("mlp_bias", set_.contains("blk.0.ffn_gate.bias"));
  }

  void read_window(GgufWindow window) {
    names_["sliding_window"] = full(kWindow);
    const Index size = integer_or(kWindow, 0);
    if (size == 0) return;
    config_.set("sliding_window", std::int64_t{size});
    if (window == GgufWindow::kOptional) {
      config_.set("use_sliding_window", true);
      config_.set("max_window_layers", std::int64_t{0});
    } else if (set_.contains("blk.0.attn_q.bias")) {
      metadata_.fail(full(kWindow), "is not supported in a model with biases");
    }
  }

  // The member "rope_scaling" with a comma before it; empty where frequencies stay as they are.
  std::string scaling() {
    const std::string key = "rope.scaling.type";
    names_["type"] = full(key);
    names_["factor"] = full("rope.scaling.factor");
    const std::string type = has(key) ? metadata_.text(full(key)) : "none";
    if (type == "none") return "";
    if (type != "linear")
      metadata_.fail(full(key), fmt::format("is {}; supported are none and linear", json_quoted(type)));
    Record linear{{"type", type}};
    if (has("rope.scaling.factor")) linear.set("factor", finite_number("rope.scaling.factor"));
    return ", \"rope_scaling\": " + to_json(linear);
  }

  const GgufSet& set_;
  const GgufMetadata& metadata_;
  std::string architecture_;
  Record config_;
  ConfigFile::KeyNames names_;
};

}  // namespace

ConfigFile read_gguf_config(const GgufSet& set) {
  return Translator(set).translate();
}

}  // namespace wordsway
