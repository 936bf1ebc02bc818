// How a program returns memory that it has freed.
#pragma once

namespace wordsway {

/// Keeps up to 256 MB of freed memory for the next allocation instead of handing it back to the system. Models ask for
/// the same few megabytes at every layer, and pages that the system has to clear again cost 2 to 5% of a forward
/// (docs/decisions/0007). For programs to call, once and first; the library does not decide it for them.
void keep_freed_memory();

}  // namespace wordsway
