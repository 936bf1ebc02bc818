// Progress on stderr: a moving bar on a terminal, a line now and then elsewhere, nothing for short work or --quiet.
#pragma once

#include "wordsway/core/progress.h"

namespace wordsway::app {

/// Clears its bar when the last copy goes.
Progress progress_on_stderr(bool quiet);

}  // namespace wordsway::app
