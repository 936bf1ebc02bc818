#include "wordsway/io/temporary_names.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include <unistd.h>

namespace wordsway {
namespace {

// A place goes free → taken → listed → free. A handler takes it from listed to removing to removed, so that it never
// reads a name that its owner is writing, and the owner of a removed one frees it.
enum State : int { kFree, kTaken, kListed, kRemoving, kRemoved };

struct Place {
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> name{};

  bool moves(int from, int to) { return state.compare_exchange_strong(from, to); }
};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may touch only what is lock-free");

constexpr int kPlaces = 64;
constinit std::array<Place, kPlaces> places{};

int list(const std::string& name) {
  if (name.size() >= PATH_MAX) return -1;
  for (int i = 0; i < kPlaces; ++i) {
    Place& place = places[static_cast<size_t>(i)];
    if (!place.moves(kFree, kTaken)) continue;
    std::memcpy(place.name.data(), name.c_str(), name.size() + 1);
    place.state = kListed;
    return i;
  }
  return -1;
}

}  // namespace

ListedTemporaryName::ListedTemporaryName(const std::filesystem::path& name) : place_(list(name.string())) {}

ListedTemporaryName::~ListedTemporaryName() {
  if (place_ < 0) return;
  Place& place = places[static_cast<size_t>(place_)];
  // A place whose file is being removed right now stays lost; the process is about to end.
  if (!place.moves(kListed, kFree)) place.moves(kRemoved, kFree);
}

void unlink_temporary_files() noexcept {
  const int saved_errno = errno;
  for (Place& place : places) {
    if (!place.moves(kListed, kRemoving)) continue;
    unlink(place.name.data());
    place.state = kRemoved;
  }
  errno = saved_errno;
}

}  // namespace wordsway
