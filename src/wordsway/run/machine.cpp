#include "wordsway/run/machine.h"

#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

#include "wordsway/core/kernels.h"
#include "wordsway/core/memory.h"

namespace wordsway {
namespace {

std::string first_line_after(const char* path, const std::string& prefix) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.compare(0, prefix.size(), prefix) != 0) continue;
    const size_t colon = line.find(": ");
    return colon == std::string::npos ? line.substr(prefix.size()) : line.substr(colon + 2);
  }
  return {};
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

std::string version() {
  return WORDSWAY_VERSION;
}

std::string version_text() {
  const std::string levels = WORDSWAY_LEVELS;
  const std::string others = levels == "native" ? "built for this machine" : "of " + levels;
  return "wordsway " + version() + "\nkernels: " + kernels() + " (" + others + ")";
}

Record build_information() {
  return {{"compiler", std::string(__VERSION__)},
          {"kernels", kernels()},
          {"type", std::string(WORDSWAY_BUILD_TYPE)},
          {"mpi", WORDSWAY_HAS_MPI != 0}};
}

Record machine_information() {
  return {{"host", host_name()},
          {"cpu", first_line_after("/proc/cpuinfo", "model name")},
          {"cores", static_cast<std::int64_t>(std::thread::hardware_concurrency())},
          {"memory_bytes", static_cast<std::int64_t>(physical_memory())}};
}

}  // namespace wordsway
