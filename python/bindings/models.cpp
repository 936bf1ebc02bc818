// Models: loading, what they are, tokens, vectors, hidden states, attention.
#include <cstring>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "calls.h"
#include "model_handle.h"
#include "wordsway/audit/attention.h"
#include "wordsway/audit/candidates.h"
#include "wordsway/audit/embed.h"
#include "wordsway/core/device.h"
#include "wordsway/core/error.h"

namespace wordsway::python {
namespace {

using Texts = std::vector<std::string>;

std::vector<LabelledText> labelled(const Texts& texts) {
  std::vector<LabelledText> result;
  result.reserve(texts.size());
  for (size_t k = 0; k < texts.size(); ++k) result.push_back({texts[k], std::nullopt, std::to_string(k)});
  return result;
}

nb::dict describe(const ModelHandle& handle) {
  nb::dict result = to_python(describe_model(*handle));
  nb::dict prompts;
  for (const auto& [name, text] : handle->sentence.prompts) prompts[name.c_str()] = text;
  result["prompts"] = prompts;
  return result;
}

nb::dict as_dict(const Encoding& encoding) {
  nb::list offsets, words;
  for (const auto& [begin, end] : encoding.offsets) offsets.append(nb::make_tuple(begin, end));
  for (const std::optional<int>& word : encoding.words) words.append(word ? nb::cast(*word) : nb::none());
  nb::dict result;
  result["ids"] = nb::cast(encoding.ids);
  result["pieces"] = nb::cast(encoding.pieces);
  result["words"] = words;
  result["offsets"] = offsets;
  return result;
}

nb::list tokenize(const ModelHandle& handle, const Texts& texts, bool special) {
  const auto encodings = released(
      nb::none(), [&](const Progress&) { return encode_all(*handle->tokenizer, texts, {.special_tokens = special}); });
  nb::list result;
  for (const Encoding& encoding : encodings) result.append(as_dict(encoding));
  return result;
}

Index count_cut(const std::vector<Encoding>& encodings) {
  return std::count_if(encodings.begin(), encodings.end(), [](const Encoding& text) { return text.cut; });
}

// The vectors of texts, [texts, d], and how many texts were cut. Rows are written where they stay.
nb::tuple encode(const ModelHandle& handle, const Texts& texts, const std::optional<std::string>& prompt_name,
                 const std::optional<std::string>& prompt, nb::handle progress) {
  const Model& model = *handle;
  const PromptedOutput ask = prompted_output(model, "pooled", "all", {prompt_name, prompt});
  EmbedOptions options;
  options.output = ask.output;
  const Index size = embedding_size(*model.transformer, options);
  std::vector<float> values(static_cast<size_t>(size) * texts.size());
  Index cut = 0;
  call_released(progress, [&](const Progress& tell) {
    const std::vector<LabelledText> named = labelled(texts);
    const std::vector<Encoding> encodings = encode_texts(model, named, {.prompt = ask.prompt});
    cut = count_cut(encodings);
    StepCounter counter(tell, "encode", static_cast<double>(texts.size()));
    for_each_embedding(model, named, encodings, options, [&](size_t text, const MatrixF& row) {
      std::memcpy(values.data() + text * static_cast<size_t>(size), row.data(),
                  sizeof(float) * static_cast<size_t>(size));
      counter.step();
    });
  });
  return nb::make_tuple(array_of(std::move(values), {static_cast<Index>(texts.size()), size}), cut);
}

// [layers + 1, n, d] for every text.
nb::list hidden_states(const ModelHandle& handle, const Texts& texts, const std::string& prompt, nb::handle progress) {
  const Model& model = *handle;
  const Index layers = model.transformer->config().layers, d = model.transformer->config().hidden_size;
  std::vector<std::vector<float>> values(texts.size());
  std::vector<Index> lengths(texts.size());
  call_released(progress, [&](const Progress& tell) {
    const auto encodings = encode_texts(model, labelled(texts), {.prompt = prompt});
    StepCounter counter(tell, "hidden states", static_cast<double>(texts.size()));
    for_each_hidden_states(model, encodings, [&](size_t text, const std::vector<MatrixF>& states, Index row) {
      const Index n = encodings[text].size();
      lengths[text] = n;
      std::vector<float>& out = values[text];
      out.resize(static_cast<size_t>((layers + 1) * n * d));
      for (Index layer = 0; layer <= layers; ++layer)
        Eigen::Map<MatrixF>(out.data() + layer * n * d, n, d) = states[static_cast<size_t>(layer)].middleRows(row, n);
      counter.step();
    });
  });
  nb::list result;
  for (size_t text = 0; text < texts.size(); ++text)
    result.append(array_of(std::move(values[text]), {layers + 1, lengths[text], d}));
  return result;
}

nb::list attention(const ModelHandle& handle, const Texts& texts, const std::string& layer, const std::string& head,
                   std::optional<Index> token, const std::string& direction, double radius,
                   const std::string& radius_unit, std::uint64_t seed, nb::handle progress) {
  const Model& model = *handle;
  const AttentionPart part = parse_attention(layer, head, *model.transformer);
  AttentionOptions ask;
  ask.layer = part.range.first_layer;
  if (!part.mean) ask.head = part.range.first_head;
  ask.token = token;
  ask.direction = parse_direction(direction);
  ask.radius = {radius, parse_radius_unit(radius_unit)};
  ask.seed = seed;
  const auto found = released(progress, [&](const Progress& tell) {
    const auto encodings = encode_texts(model, labelled(texts));
    StepCounter counter(tell, "attention", static_cast<double>(texts.size()));
    std::vector<TextAttention> results;
    for (size_t t = 0; t < texts.size(); ++t) {
      const MatrixF x = model.transformer->embed(encodings[t].ids);
      results.push_back({attention_change(model.transformer, x, ask), texts[t], encodings[t].pieces});
      counter.step();
    }
    return results;
  });
  nb::list result;
  for (const TextAttention& one : found) {
    nb::dict entry;
    entry["text"] = one.text;
    entry["layer"] = part.range.first_layer;
    entry["head"] = head;
    entry["pieces"] = nb::cast(one.pieces);
    entry["attention"] = array_of(one.before);
    if (token) {
      entry["token"] = *token;
      entry["direction"] = direction;
      entry["attention_after"] = array_of(*one.after);
    }
    result.append(entry);
  }
  return result;
}

// [layers, heads, n, n] of a text, with its pieces.
nb::tuple attention_array(const ModelHandle& handle, const std::string& text, const std::string& layer,
                          const std::string& head) {
  const Model& model = *handle;
  const AttentionPart part = parse_attention(layer, head, *model.transformer);
  std::vector<float> values;
  Encoding encoding;
  call_released(nb::none(), [&](const Progress&) {
    encoding = encode_texts(model, labelled({text})).front();
    for_each_attention_layer(*model.transformer, model.transformer->embed(encoding.ids), part,
                             [&](std::span<const float> layer_values) {
                               values.insert(values.end(), layer_values.begin(), layer_values.end());
                             });
  });
  return nb::make_tuple(array_of(std::move(values), part.shape(encoding.size())), encoding.pieces);
}

}  // namespace

void bind_models(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<ModelHandle>(module, "Model")
      .def_prop_ro("name", [](const ModelHandle& handle) { return handle->transformer->name(); })
      .def_prop_ro("layers", [](const ModelHandle& handle) { return handle->transformer->config().layers; })
      .def_prop_ro("heads", [](const ModelHandle& handle) { return handle->transformer->config().attention.heads; })
      .def_prop_ro("hidden_size", [](const ModelHandle& handle) { return handle->transformer->config().hidden_size; })
      .def_prop_ro("vector_size",
                   [](const ModelHandle& handle) {
                     EmbedOptions options;
                     options.output = parse_layer("pooled", *handle->transformer);
                     return embedding_size(*handle->transformer, options);
                   })
      .def_prop_ro("most_tokens", [](const ModelHandle& handle) { return handle->most_tokens(); })
      .def_prop_ro("is_decoder", [](const ModelHandle& handle) { return handle->transformer->is_decoder(); })
      .def_prop_ro("predicts_masked_words", [](const ModelHandle& handle) { return predicts_masked_words(*handle); })
      .def("info", &describe)
      .def(
          "sentence_use",
          [](const ModelHandle& handle, const std::string& prompt) { return describe_sentence_use(*handle, prompt); },
          "prompt"_a)
      .def("tokenize", &tokenize, "texts"_a, "special"_a)
      .def("encode", &encode, "texts"_a, "prompt_name"_a.none(), "prompt"_a.none(), "progress"_a.none())
      .def("hidden_states", &hidden_states, "texts"_a, "prompt"_a, "progress"_a.none())
      .def("attention", &attention, nb::kw_only(), "texts"_a, "layer"_a, "head"_a, "token"_a.none(), "direction"_a,
           "radius"_a, "radius_unit"_a, "seed"_a, "progress"_a.none())
      .def("attention_array", &attention_array, "text"_a, "layer"_a, "head"_a);
  module.def(
      "load",
      [](const std::string& path, const std::string& device, const std::string& precision, nb::handle progress) {
        check_not_hub_name(path, "load");
        const Device where = device_given(device, precision);
        return released(progress, [&](const Progress&) {
          return ModelHandle{std::make_shared<const Model>(load_model(path, where))};
        });
      },
      "path"_a, "device"_a, "precision"_a, "progress"_a.none());
}

}  // namespace wordsway::python
