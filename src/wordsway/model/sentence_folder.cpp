#include "wordsway/model/sentence_folder.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/io/input_file.h"
#include "wordsway/model/config.h"
#include "wordsway/model/weights.h"

namespace wordsway {
namespace {

constexpr const char* kModules = "modules.json";
constexpr const char* kSettings = "config_sentence_transformers.json";
constexpr Index kMostLength = 100'000'000;

// "sentence_transformers.models.Pooling" → "Pooling": the package has moved its classes before.
std::string last_part(const std::string& type) {
  return type.substr(type.find_last_of('.') + 1);
}

struct Module {
  std::string kind;
  std::string path;  // relative; empty for the folder itself
};

bool stays_inside(const std::filesystem::path& path) {
  return path.is_relative() && std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

std::vector<Module> read_modules(const std::filesystem::path& file) {
  std::vector<Module> modules;
  for (const ConfigFile& entry : ConfigFile::list(file)) {
    Module module{last_part(entry.text("type")), entry.text_or("path", "")};
    if (!stays_inside(module.path))
      entry.refuse("path", fmt::format("must be a folder inside the model's, but is \"{}\"", module.path));
    const bool first = modules.empty(), second = modules.size() == 1;
    static constexpr std::array<const char*, 3> kSupported{"Dense", "LayerNorm", "Normalize"};
    const bool known = std::find(kSupported.begin(), kSupported.end(), module.kind) != kSupported.end();
    if (!known && module.kind != "Transformer" && module.kind != "Pooling")
      entry.refuse("type", fmt::format("names the module '{}'; supported are Transformer, Pooling, Dense, LayerNorm "
                                       "and Normalize",
                                       module.kind));
    if (first != (module.kind == "Transformer") || second != (module.kind == "Pooling"))
      entry.refuse("type", fmt::format("names {} as module {}; expected Transformer, Pooling, then any of Dense, "
                                       "LayerNorm and Normalize",
                                       module.kind, modules.size()));
    modules.push_back(std::move(module));
  }
  if (modules.size() < 2)
    throw DataError(fmt::format("{}: expected at least the modules Transformer and Pooling; got {}", file.string(),
                                modules.size()));
  return modules;
}

PoolingMode mode_named(const ConfigFile& file, const std::string& key, const std::string& name) {
  try {
    return pooling_mode_named(name);
  } catch (const UsageError& unknown) {
    file.refuse(key, fmt::format("is not supported: {}", unknown.what()));
  }
}

std::vector<PoolingMode> read_modes(const ConfigFile& file) {
  static constexpr std::array<std::pair<const char*, PoolingMode>, 6> kFlags{
      {{"pooling_mode_cls_token", PoolingMode::kCls},
       {"pooling_mode_max_tokens", PoolingMode::kMax},
       {"pooling_mode_mean_tokens", PoolingMode::kMean},
       {"pooling_mode_mean_sqrt_len_tokens", PoolingMode::kMeanSqrtLength},
       {"pooling_mode_weightedmean_tokens", PoolingMode::kWeightedMean},
       {"pooling_mode_lasttoken", PoolingMode::kLastToken}}};
  std::vector<PoolingMode> modes;
  if (!file.has("pooling_mode")) {
    for (const auto& [flag, mode] : kFlags)
      if (file.flag_or(flag, false)) modes.push_back(mode);
    if (modes.empty()) modes.push_back(PoolingMode::kMean);
    return modes;
  }
  for (const std::string& name : file.text_or_texts("pooling_mode", kFlags.size()))
    modes.push_back(mode_named(file, "pooling_mode", name));
  if (modes.empty()) file.refuse("pooling_mode", "must name at least one way of pooling");
  return modes;
}

void read_pooling(const std::filesystem::path& folder, const Module& module, SentenceFolder& result) {
  const std::filesystem::path name = std::filesystem::path(module.path) / "config.json";
  if (!path_exists(folder / name))
    throw DataError(
        fmt::format("{}: there is no such file, but {} has a Pooling module there; download the whole folder",
                    (folder / name).string(), kModules));
  const ConfigFile file(folder / name);
  result.chain.modes = read_modes(file);
  result.chain.include_prompt = file.flag_or("include_prompt", true);
  for (const char* key : {"embedding_dimension", "word_embedding_dimension"})
    if (file.has(key)) result.hidden_size = file.integer(key, 1, ConfigLimits::kWidth);
  result.settings.pooling_file = name.string();
}

// A module may work on features of the tokens instead of the text's vector; such chains do not give one vector.
void require_sentence_embedding(const ConfigFile& file) {
  for (const char* key : {"module_input_name", "module_output_name"})
    if (file.text_or(key, "sentence_embedding") != "sentence_embedding")
      file.refuse(key, "must be \"sentence_embedding\", but is \"" + file.text(key) + "\"");
}

ActivationKind read_dense_activation(const ConfigFile& file) {
  const std::string name = last_part(file.text_or("activation_function", "torch.nn.modules.activation.Tanh"));
  if (const auto kind = torch_activation(name)) return *kind;
  file.refuse("activation_function",
              fmt::format("names '{}'; supported are {}", name, enumerate(torch_activation_names(), "and")));
}

SentenceModule read_dense(const std::filesystem::path& folder, std::vector<SourceFile>& files) {
  const ConfigFile file(folder / "config.json");
  require_sentence_embedding(file);
  const Index in = file.integer("in_features", 1, ConfigLimits::kWidth),
              out = file.integer("out_features", 1, ConfigLimits::kWidth);
  const Weights weights(folder);
  DenseModule result;
  result.linear = weights.linear("linear", in, out, file.flag_or("bias", true));
  result.activation = read_dense_activation(file);
  result.has_residual = file.flag_or("use_residual", false);
  if (result.has_residual && in != out) result.residual = weights.linear("residual", in, out, false);
  weights.check_unchanged();
  for (SourceFile& source : weights.files()) files.push_back(std::move(source));
  return {std::move(result), file.path().string()};
}

SentenceModule read_layer_norm(const std::filesystem::path& folder, std::vector<SourceFile>& files) {
  constexpr double kEpsilon = 1e-5;  // PyTorch's own, which the module uses
  const ConfigFile file(folder / "config.json");
  const Weights weights(folder);
  LayerNormModule result;
  result.norm = weights.layer_norm("norm", file.integer("dimension", 1, ConfigLimits::kWidth), kEpsilon);
  weights.check_unchanged();
  for (SourceFile& source : weights.files()) files.push_back(std::move(source));
  return {std::move(result), file.path().string()};
}

SentenceModule read_normalize(const std::filesystem::path& folder) {
  if (path_exists(folder / "config.json")) require_sentence_embedding(ConfigFile(folder / "config.json"));
  return {NormalizeModule{}, kModules};
}

void read_module(const std::filesystem::path& folder, const Module& module, SentenceFolder& result) {
  const std::filesystem::path path = folder / module.path;
  if (module.kind == "Dense") {
    result.chain.modules.push_back(read_dense(path, result.files));
  } else if (module.kind == "LayerNorm") {
    result.chain.modules.push_back(read_layer_norm(path, result.files));
  } else {
    result.chain.modules.push_back(read_normalize(path));
  }
}

// Newer files may ask for another output than the last hidden state of a plain text.
void require_last_hidden_state(const ConfigFile& file) {
  const auto require = [](const ConfigFile& in, const char* key, const std::string& expected) {
    if (in.text_or(key, expected) != expected)
      in.refuse(key, fmt::format("must be \"{}\", but is \"{}\"", expected, in.text(key)));
  };
  require(file, "transformer_task", "feature-extraction");
  require(file, "module_output_name", "token_embeddings");
  const std::optional<ConfigFile> modalities = file.object("modality_config");
  if (!modalities) return;
  const std::optional<ConfigFile> text = modalities->object("text");
  if (!text) file.refuse("modality_config", "must have an entry \"text\"");
  require(*text, "method", "forward");
  require(*text, "method_output_name", "last_hidden_state");
}

void read_lengths(const std::filesystem::path& transformer, SentenceSettings& settings) {
  for (const char* kind : {"bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"}) {
    const std::string name = fmt::format("sentence_{}_config.json", kind);
    if (!path_exists(transformer / name)) continue;
    const ConfigFile file(transformer / name);
    require_last_hidden_state(file);
    settings.lower_case = file.flag_or("do_lower_case", false);
    if (file.has("max_seq_length")) {
      settings.max_length = file.integer("max_seq_length", 1, kMostLength);
      settings.max_length_file = name;
    }
    return;
  }
}

void read_settings(const std::filesystem::path& folder, SentenceFolder& result) {
  if (!path_exists(folder / kSettings)) return;
  const ConfigFile file(folder / kSettings);
  SentenceSettings& settings = result.settings;
  if (file.has("truncate_dim"))
    result.chain.modules.push_back({TruncateModule{file.integer("truncate_dim", 1, ConfigLimits::kWidth)}, kSettings});
  settings.prompts_file = kSettings;
  settings.prompts = file.text_members("prompts");
  settings.default_prompt = file.text_or("default_prompt_name", "");
  const auto named = [&](const auto& prompt) { return prompt.first == settings.default_prompt; };
  if (!settings.default_prompt.empty() && std::none_of(settings.prompts.begin(), settings.prompts.end(), named))
    file.refuse("default_prompt_name", fmt::format("is \"{}\", but there is no such prompt", settings.default_prompt));
  settings.similarity = file.text_or("similarity_fn_name", "cosine");
  static constexpr std::array<const char*, 4> kKnown{"cosine", "dot", "euclidean", "manhattan"};
  if (std::find(kKnown.begin(), kKnown.end(), settings.similarity) == kKnown.end())
    file.refuse("similarity_fn_name",
                fmt::format("is \"{}\"; supported are cosine, dot, euclidean and manhattan", settings.similarity));
  if (const std::string type = file.text_or("model_type", "SentenceTransformer"); type != "SentenceTransformer")
    file.refuse("model_type", fmt::format("is \"{}\"; only a SentenceTransformer gives one vector for a text", type));
}

}  // namespace

void SentenceFolder::check(Index size) const {
  if (hidden_size && *hidden_size != size)
    throw DataError(fmt::format("{}: 'embedding_dimension' is {}, but the model's vectors have {} numbers",
                                settings.pooling_file, *hidden_size, size));
  chain.check(size);
}

SentenceFolder read_sentence_folder(const std::filesystem::path& folder) {
  SentenceFolder result{.transformer = folder};
  if (path_exists(folder / kModules)) {
    const std::vector<Module> modules = read_modules(folder / kModules);
    result.settings.modules_file = kModules;
    if (!modules[0].path.empty()) result.transformer = folder / modules[0].path;
    read_pooling(folder, modules[1], result);
    for (size_t k = 2; k < modules.size(); ++k) read_module(folder, modules[k], result);
    read_settings(folder, result);
  }
  read_lengths(result.transformer, result.settings);
  return result;
}

}  // namespace wordsway
