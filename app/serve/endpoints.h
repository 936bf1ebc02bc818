// What a page can ask: every question, one endpoint each, and what models there are.
//
// An endpoint reads its arguments on the thread of the connection, so that a mistake is answered at once, and leaves
// behind work for the queue (serve/job_queue.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serve/job_queue.h"
#include "serve/request_arguments.h"
#include "serve/served_models.h"
#include "wordsway/core/record.h"

namespace wordsway::serve {

struct Prepared {
  std::string what;  // is done, for people
  Job::Work work;
};

struct Endpoint {
  std::string name;  // of the path: /api/NAME
  /// Throws UsageError. The models outlive the work.
  std::function<Prepared(RequestArguments&)> prepare;
  bool is_quick = false;  // done at once, instead of in the queue
};

/// All endpoints but `models` and `quit`.
std::vector<Endpoint> endpoints(const ServedModels& models);

/// The answer of /api/models. Models that are not loaded have a name alone.
std::string models_json(const ServedModels& models, const std::string& version, std::size_t most_body_bytes);

// What endpoints share.

inline constexpr const char *kBuiltin = "builtin", *kBuiltinDecoder = "builtin-decoder";

/// Text that is on one line: the JSON of commands has line breaks between values.
std::string one_line_json(std::string json);

/// An endpoint for every question, with its fields as keys.
std::vector<Endpoint> question_endpoints(const ServedModels& models);

}  // namespace wordsway::serve
