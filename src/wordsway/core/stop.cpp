#include "wordsway/core/stop.h"

namespace wordsway::detail {

constinit thread_local const StopScope* current_stop_scope = nullptr;

}  // namespace wordsway::detail
