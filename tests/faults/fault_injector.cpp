// A library to be preloaded into the program under test: it makes one call to the system fail, the k-th of its kind
// since main began, and lets all others through.
//
//   WORDSWAY_FAULT=write:3    the third write fails, once
//   WORDSWAY_FAULT=write:3+   the third is cut short and all after it fail: the disk is full and stays so
//   WORDSWAY_FAULT=count      nothing fails; WORDSWAY_FAULT_REPORT=FILE gets the number of calls of each kind
//
// Kinds: write, open, rename, fsync, close, read, thread, malloc, spawn (and fork). Calls are counted over the program
// and the processes it forks; programs that it starts are left alone. What the C library calls inside itself does not
// pass here; the program writes its streams by write(2).
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

enum Kind { kWrite, kOpen, kRename, kFsync, kClose, kRead, kThread, kMalloc, kSpawn, kKinds };
constexpr const char* kNames[kKinds] = {"write", "open",   "rename", "fsync", "close",
                                        "read",  "thread", "malloc", "spawn"};
constexpr int kErrors[kKinds] = {ENOSPC, EACCES, EACCES, EIO, EIO, EIO, EAGAIN, ENOMEM, EAGAIN};

using Counters = std::atomic<long>[kKinds];
Counters before_main;
Counters* calls = &before_main;  // shared with forked processes once main has begun
std::atomic<bool> armed{false};
int failing_kind = -1;
long failing_call = 0;
bool for_good = false;
const char* report_file = nullptr;
int (*real_main)(int, char**, char**) = nullptr;

enum Fate { kPass, kCutShort, kFail };

Fate fate(Kind kind) {
  if (!armed) return kPass;
  const long call = ++(*calls)[kind];
  if (kind != failing_kind) return kPass;
  if (call == failing_call) return for_good && kind == kWrite ? kCutShort : kFail;
  return for_good && call > failing_call ? kFail : kPass;
}

// Sets errno where the call is to fail.
bool fails(Kind kind) {
  if (fate(kind) == kPass) return false;
  errno = kErrors[kind];
  return true;
}

// The next definition of a function, the C library's, looked up at its first use.
template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
#define NEXT(name) static const auto real = next<decltype(&::name)>(#name)

void read_plan() {
  const char* plan = std::getenv("WORDSWAY_FAULT");
  report_file = std::getenv("WORDSWAY_FAULT_REPORT");
  if (plan == nullptr) return;
  const char* colon = std::strchr(plan, ':');
  for (int kind = 0; kind < kKinds && colon != nullptr; ++kind)
    if (std::strlen(kNames[kind]) == static_cast<size_t>(colon - plan) &&
        std::strncmp(plan, kNames[kind], static_cast<size_t>(colon - plan)) == 0)
      failing_kind = kind;
  if (colon == nullptr) return;
  char* end = nullptr;
  failing_call = std::strtol(colon + 1, &end, 10);
  for_good = *end == '+';
}

int armed_main(int argc, char** argv, char** environment) {
  read_plan();
  unsetenv("LD_PRELOAD");
  unsetenv("WORDSWAY_FAULT");
  unsetenv("WORDSWAY_FAULT_REPORT");
  void* const shared = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared != MAP_FAILED) calls = static_cast<Counters*>(shared);  // all zero
  armed = true;
  return real_main(argc, argv, environment);
}

__attribute__((destructor)) void write_report() {
  armed = false;
  if (report_file == nullptr) return;
  std::FILE* file = std::fopen(report_file, "w");
  if (file == nullptr) return;
  for (int kind = 0; kind < kKinds; ++kind) std::fprintf(file, "%s %ld\n", kNames[kind], (*calls)[kind].load());
  std::fclose(file);
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*loader_fini)(), void* stack_end) {
  real_main = main;
  const auto start = next<decltype(&__libc_start_main)>("__libc_start_main");
  return start(armed_main, argc, argv, init, fini, loader_fini, stack_end);
}

void* malloc(size_t size) noexcept {
  return fails(kMalloc) ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) noexcept {
  return fails(kMalloc) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, size_t size) noexcept {
  return fails(kMalloc) ? nullptr : __libc_realloc(block, size);
}
void* memalign(size_t alignment, size_t size) noexcept {
  return fails(kMalloc) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return fails(kMalloc) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) noexcept {
  if (fails(kMalloc)) return ENOMEM;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  NEXT(write);
  const Fate found = fate(kWrite);
  if (found == kCutShort && size > 1) return real(descriptor, bytes, size / 2);
  if (found == kPass) return real(descriptor, bytes, size);
  errno = kErrors[kWrite];
  return -1;
}
ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  NEXT(writev);
  return fails(kWrite) ? -1 : real(descriptor, pieces, count);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  NEXT(pwrite);
  return fails(kWrite) ? -1 : real(descriptor, bytes, size, offset);
}

ssize_t read(int descriptor, void* bytes, size_t size) {
  NEXT(read);
  return fails(kRead) ? -1 : real(descriptor, bytes, size);
}
ssize_t pread(int descriptor, void* bytes, size_t size, off_t offset) {
  NEXT(pread);
  return fails(kRead) ? -1 : real(descriptor, bytes, size, offset);
}
ssize_t readv(int descriptor, const struct iovec* pieces, int count) {
  NEXT(readv);
  return fails(kRead) ? -1 : real(descriptor, pieces, count);
}

int open(const char* path, int flags, ...) {
  NEXT(open);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails(kOpen) ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  NEXT(open64);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails(kOpen) ? -1 : real(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  NEXT(openat);
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return fails(kOpen) ? -1 : real(folder, path, flags, mode);
}
std::FILE* fopen(const char* path, const char* mode) {
  NEXT(fopen);
  return fails(kOpen) ? nullptr : real(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) {
  NEXT(fopen64);
  return fails(kOpen) ? nullptr : real(path, mode);
}
DIR* opendir(const char* path) {
  NEXT(opendir);
  return fails(kOpen) ? nullptr : real(path);
}
int mkdir(const char* path, mode_t mode) noexcept {
  NEXT(mkdir);
  return fails(kOpen) ? -1 : real(path, mode);
}
int rename(const char* from, const char* to) noexcept {
  NEXT(rename);
  return fails(kRename) ? -1 : real(from, to);
}
int fsync(int descriptor) {
  NEXT(fsync);
  return fails(kFsync) ? -1 : real(descriptor);
}
int fdatasync(int descriptor) {
  NEXT(fdatasync);
  return fails(kFsync) ? -1 : real(descriptor);
}
// The descriptor is gone either way, as on Linux.
int close(int descriptor) {
  NEXT(close);
  const bool told = fails(kClose);
  const int error = errno, result = real(descriptor);
  if (told) errno = error;
  return told ? -1 : result;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) noexcept {
  NEXT(pthread_create);
  return fails(kThread) ? EAGAIN : real(thread, attributes, work, argument);
}
int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
  NEXT(posix_spawnp);
  return fails(kSpawn) ? EAGAIN : real(child, file, actions, attributes, arguments, environment);
}
pid_t fork() noexcept {
  NEXT(fork);
  return fails(kSpawn) ? -1 : real();
}
int pipe2(int descriptors[2], int flags) noexcept {
  NEXT(pipe2);
  return fails(kSpawn) ? -1 : real(descriptors, flags);
}
int pipe(int descriptors[2]) noexcept {
  NEXT(pipe);
  return fails(kSpawn) ? -1 : real(descriptors);
}
}
