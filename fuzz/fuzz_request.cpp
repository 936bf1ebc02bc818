// Any bytes are either the arguments of a request or an error about usage, for every endpoint of the page's server.
#include <cstdint>
#include <string_view>

#include "serve/endpoints.h"
#include "wordsway/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wordsway;
  // Models that are never read: arguments are checked before models are opened.
  static const serve::ServedModels models({{"builtin", ""}, {"builtin-decoder", ""}});
  static const std::vector<serve::Endpoint> endpoints = serve::endpoints(models);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const serve::Endpoint& endpoint : endpoints) {
    try {
      serve::RequestArguments ask(bytes);
      endpoint.prepare(ask);
    } catch (const UsageError&) {
    } catch (const DataError&) {  // in the content of a file
    }
  }
  return 0;
}
