// What a page can ask: the commands of the program, one endpoint each, with their options as keys.
//
// An endpoint reads its arguments on the thread of the connection, so that a mistake is answered at once, and leaves
// behind work for the queue (serve/job_queue.h). Numbers come from the same functions of the library as those of the
// commands and of Python.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "serve/job_queue.h"
#include "serve/request_arguments.h"
#include "serve/served_models.h"
#include "wordsway/core/record.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway::serve {

/// The longest text in tokens, whatever a model takes.
inline constexpr Index kMostTokens = 2048;

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

/// The model, loaded where it is not yet; that is told.
std::shared_ptr<const Model> open_model(const ServedModels& models, const std::string& name, Job& job);

/// The name under `model`, or the one that is usual. Throws UsageError when there is no such model.
std::string read_model_name(const ServedModels& models, RequestArguments& ask, const char* usual = kBuiltin);

/// A sentence that a command would write to stderr.
void tell_remark(Job& job, const std::string& sentence);

/// The keys `radius` and `radius_unit`.
Radius read_radius(RequestArguments& ask);

// The topics, one file each.

std::vector<Endpoint> text_endpoints(const ServedModels& models);     // tokenize, words, substitute, layers, attention
std::vector<Endpoint> pairs_endpoints(const ServedModels& models);    // pairs
std::vector<Endpoint> decoder_endpoints(const ServedModels& models);  // answers, generate
std::vector<Endpoint> measure_endpoints(const ServedModels& models);  // measure

}  // namespace wordsway::serve
