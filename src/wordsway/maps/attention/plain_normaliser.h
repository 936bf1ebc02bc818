// The normalisers of the table that are given by f alone, on the CPU in double.
#pragma once

#include <memory>

#include "wordsway/maps/attention/normaliser.h"

namespace wordsway {

/// Any kind but the softmax (maps/raf.cpp).
std::shared_ptr<const Normaliser> plain_normaliser(NormaliserKind kind, double beta = 1);

}  // namespace wordsway
