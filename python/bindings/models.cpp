// Models: loading, properties, and vectors and hidden states of texts as arrays.
#include <cstring>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "calls.h"
#include "model_handle.h"
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

Index count_cut(const std::vector<Encoding>& encodings) {
  return std::count_if(encodings.begin(), encodings.end(), [](const Encoding& text) { return text.cut; });
}

// The vectors of texts, [texts, d], and how many texts were cut. Rows are written directly into the array.
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
    ProgressCounter counter(tell, "encode", static_cast<double>(texts.size()));
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
    ProgressCounter counter(tell, "hidden states", static_cast<double>(texts.size()));
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
      .def("encode", &encode, "texts"_a, "prompt_name"_a.none(), "prompt"_a.none(), "progress"_a.none())
      .def("hidden_states", &hidden_states, "texts"_a, "prompt"_a, "progress"_a.none());
  module.def(
      "load",
      [](nb::bytes folder, const std::string& device, const std::string& precision, nb::handle progress) {
        const std::string path = path_of(folder);
        check_not_hub_name(path, "load");
        const Device where = device_given(device, precision);
        return released(progress, [&](const Progress&) {
          return ModelHandle{std::make_shared<const Model>(load_model(path, where))};
        });
      },
      "path"_a, "device"_a, "precision"_a, "progress"_a.none());
}

}  // namespace wordsway::python
