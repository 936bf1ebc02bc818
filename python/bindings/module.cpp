// The extension module wordsway._core: the library's functions, with plain values in and out. Names, defaults and
// results for people are in python/wordsway.
#include "calls.h"

NB_MODULE(_core, module) {
  using namespace wordsway::python;
  module.doc() = "wordsway's library; use the package wordsway instead";
  bind_errors(module);
  bind_ask(module);
  bind_maps(module);
  bind_models(module);
  bind_pairs(module);
}
