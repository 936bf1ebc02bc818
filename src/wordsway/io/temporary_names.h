// The temporary files of this process, listed where a signal handler can find them.
#pragma once

#include <filesystem>
#include <string>

namespace wordsway {

/// Keeps a name on the list as long as this object lives. A name that finds no room there, because 64 are listed
/// already or because it is longer than the system's paths, is left out: it is then not removed by a signal, nothing
/// worse.
///
/// Taking and giving back a place needs no lock, so several threads may do so at once.
class ListedTemporaryName {
 public:
  explicit ListedTemporaryName(const std::filesystem::path& name);
  ~ListedTemporaryName();
  ListedTemporaryName(const ListedTemporaryName&) = delete;
  ListedTemporaryName& operator=(const ListedTemporaryName&) = delete;

 private:
  int place_;  // -1 when there was no room
};

/// Removes every listed file. Safe inside a signal handler and meant for one that ends the process next: whoever writes
/// such a file then fails to commit it.
void unlink_temporary_files() noexcept;

}  // namespace wordsway
