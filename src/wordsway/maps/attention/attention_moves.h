// Attention when several tokens move: O(M·d·(n + d)) an evaluation for M of them instead of O(nd² + n²d).
//
// For a row j outside the set T of moved tokens only its scores on T move. With o_j the row's output without T and p_jt
// its weight on token t,
//
//     row_j − φ_j = Σ_t (p_jt − p⁰_jt)(x_t − o_j) + Σ_t p_jt Δ_t,
//
// every term of which vanishes with Δ. Rows in T are computed whole. One token has a form of its own, whose line
// searches are cheaper (attention_view.h); a test compares the two.
#pragma once

#include "wordsway/maps/attention/attention_sample.h"

namespace wordsway {

/// The view of these tokens, which check_tokens has seen. Its Δ is [M·d].
std::unique_ptr<TokenView> make_attention_moves(std::shared_ptr<const AttentionState> sample,
                                                std::vector<Index> tokens);

}  // namespace wordsway
