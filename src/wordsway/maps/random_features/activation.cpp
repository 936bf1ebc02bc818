#include "wordsway/maps/random_features/activation.h"

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {

template class Registry<Activation>;

void register_all_activations(ActivationRegistry& registry);  // written by the build

const ActivationRegistry& activation_registry() {
  static const ActivationRegistry registry = [] {
    ActivationRegistry activations("activation");
    register_all_activations(activations);
    return activations;
  }();
  return registry;
}

const Activation& find_activation(const std::string& name) {
  return activation_registry().get(name);
}

std::optional<ActivationKind> kind_of(const Activation& activation) {
  for (const ActivationEntry& entry : kActivations)
    if (entry.in_maps && &find_activation(entry.name) == &activation) return entry.kind;
  return std::nullopt;
}

void activate(const Activation& activation, ConstVectorRef z, VectorRef values, Vector* slopes) {
  constexpr Index kBlock = 16384;
  ensure(values.size() == z.size() && (slopes == nullptr || slopes->size() == z.size()), "shapes");
  const Blocks blocks{z.size(), kBlock};
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b);
    activation.evaluate(z.data() + begin, blocks.length(b), values.data() + begin,
                        slopes == nullptr ? nullptr : slopes->data() + begin);
  });
}

}  // namespace wordsway
