// wordsway serve: a page in the browser to play with.
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/commands.h"
#include "options/common.h"
#include "serve/page_server.h"
#include "shell/builtin_models.h"
#include "shell/models.h"
#include "shell/program_command.h"
#include "system/streams.h"
#include "wordsway/audit/check_model.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/run/machine.h"

namespace wordsway::app {
namespace {

struct ServeRequest {
  std::vector<std::string> models;
  Device device;
  int port = 0;
  bool no_open = false;

  static void describe(Fields<ServeRequest>& fields) {
    fields
        .texts(
            "model", &ServeRequest::models,
            "A model for the page beside the built-in ones: a folder or a GGUF file; may be given several times, and "
            "is loaded when the page first asks for it (without it: builtin and builtin-decoder)")
        .short_flag("m", true);
    fields.include_described(&ServeRequest::device, describe_device);
    fields.whole("port", &ServeRequest::port, {0, 65535}, "The port of 127.0.0.1 to listen at")
        .by_default("0, a free one");
    fields.flag("no_open", &ServeRequest::no_open, "Do not open the page, only print its address");
  }
};

bool has_display() {
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

// Opens the page if there is a browser; otherwise the address on standard output has to do. The shell detaches the
// browser, because it may outlive the server.
void open_in_browser(const std::string& address) {
  if (!has_display()) return;
  std::string command = "command -v xdg-open >/dev/null && xdg-open '" + address + "' >/dev/null 2>&1 </dev/null &";
  char shell[] = "/bin/sh", option[] = "-c";
  char* const arguments[] = {shell, option, command.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, shell, nullptr, nullptr, arguments, environ) == 0) waitpid(child, nullptr, 0);
}

std::vector<serve::ModelPlace> places_of(const ServeRequest& options) {
  std::vector<serve::ModelPlace> places;
  for (const char* name : {kBuiltinEncoder, kBuiltinDecoder})
    places.push_back({name, builtin_model_folder(name), options.device});
  std::vector<std::filesystem::path> given;
  for (const std::string& model : options.models)
    if (model != kBuiltinEncoder && model != kBuiltinDecoder) given.push_back(model_folder(model));
  for (const std::filesystem::path& folder : given) check_model(folder);  // reported now, not on the page
  return serve::named_places(given, std::move(places), options.device);
}

void serve_page(const ServeRequest& options, const CommonOptions& common) {
  if (!options.device.is_cpu()) cuda_device_name();  // report a missing device now, not on the page
  serve::PageServer server(places_of(options), {options.port, version(), {}});
  const std::string address = server.address();
  print_out(address + "\n");
  if (!options.no_open) open_in_browser(address);
  say(common, "the page is at this address, for this machine alone, until Ctrl-C");
  server.run();
}

}  // namespace

void add_serve_command(CLI::App& app) {
  Guide guide;
  guide.summary = "A page in your browser: type a sentence, see what a word sways";
  guide.examples =
      "  wordsway serve\n"
      "  wordsway serve -m MODEL -m ANOTHER --port 8000 --no-open";
  guide.columns =
      "The first line on stdout is the address. The part after the # is a key that\n"
      "is new with every start; without it nothing is computed. Only this machine can\n"
      "reach the page, nothing is sent elsewhere, and the page names no file. Ctrl-C\n"
      "ends it. docs/serve.md says what else it answers, with examples for curl.";
  add_program_command<ServeRequest>(app, "serve", guide, serve_page);
}

}  // namespace wordsway::app
