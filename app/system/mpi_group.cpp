#include <algorithm>
#include <array>
#include <numeric>

#include <mpi.h>
#include <sched.h>

#include "system/process.h"
#include "wordsway/core/error.h"

namespace wordsway::app {
namespace {

constexpr int kTag = 1;
constexpr size_t kMaskBytes = sizeof(cpu_set_t);

int fair_share_of_cores(MPI_Comm machine) {
  cpu_set_t own;
  CPU_ZERO(&own);
  if (sched_getaffinity(0, sizeof own, &own) != 0) return 1;
  std::array<unsigned char, kMaskBytes> mask{}, all{};
  std::copy_n(reinterpret_cast<const unsigned char*>(&own), kMaskBytes, mask.begin());
  MPI_Allreduce(mask.data(), all.data(), static_cast<int>(kMaskBytes), MPI_UNSIGNED_CHAR, MPI_BOR, machine);
  int cores = CPU_COUNT(&own), claimed = 0;
  MPI_Allreduce(&cores, &claimed, 1, MPI_INT, MPI_SUM, machine);
  const int there = std::accumulate(all.begin(), all.end(), 0,
                                    [](int sum, unsigned char byte) { return sum + __builtin_popcount(byte); });
  // Cores bound to this process are its own; cores that several processes may use are shared.
  return std::max(1, cores * there / std::max(1, claimed));
}

class MpiGroup final : public ProcessGroup {
 public:
  MpiGroup() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    if (level < MPI_THREAD_FUNNELED)
      throw UsageError("this MPI does not allow threads; wordsway needs MPI_THREAD_FUNNELED");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &local_size_);
    MPI_Comm_rank(machine, &local_rank_);
    fair_threads_ = fair_share_of_cores(machine);
    MPI_Comm_free(&machine);
  }
  ~MpiGroup() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_size() const override { return local_size_; }
  int local_rank() const override { return local_rank_; }
  int fair_threads() const override { return fair_threads_; }

  void send(int to, const std::string& text) override {
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, kTag, MPI_COMM_WORLD);
  }

  std::optional<GroupMessage> receive() override {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    GroupMessage message{status.MPI_SOURCE, std::string(static_cast<size_t>(length), '\0')};
    MPI_Recv(message.text.data(), length, MPI_CHAR, status.MPI_SOURCE, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

 private:
  int rank_ = 0, size_ = 1, local_size_ = 1, local_rank_ = 0, fair_threads_ = 1;
};

}  // namespace

std::unique_ptr<ProcessGroup> join_launched_group() {
  return std::make_unique<MpiGroup>();
}

}  // namespace wordsway::app
