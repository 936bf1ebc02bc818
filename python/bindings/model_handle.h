// A loaded model as Python holds it.
#pragma once

#include <memory>

#include "wordsway/audit/model.h"

namespace wordsway::python {

struct ModelHandle {
  std::shared_ptr<const Model> model;

  const Model& operator*() const { return *model; }
  const Model* operator->() const { return model.get(); }
};

}  // namespace wordsway::python
