#include "wordsway/core/fingerprint.h"

#include <fmt/format.h>

namespace wordsway {

std::string Fingerprint::text() const {
  return fmt::format("{:016x}", hash_);
}

}  // namespace wordsway
