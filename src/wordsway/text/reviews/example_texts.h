// Texts that come with wordsway, after the figures of the paper.
#pragma once

#include <string_view>

namespace wordsway {

/// A summary of the paper in our own words, about 200 tokens; token 42 of it is moved in the figure on layers.
inline constexpr std::string_view kPaperSummary =
    "Language models read a text as a list of tokens, and the meaning of the whole can hang on a single one of them. "
    "This study asks how strongly a layer reacts when one word of a long context is replaced. It defines word "
    "sensitivity as the largest relative change of a feature map over all moves of one embedding inside a ball. For "
    "fully connected random features the answer is sobering: the sensitivity decays like one over the square root of "
    "the context length, and stacking more layers does not help. Attention behaves differently. Because the softmax "
    "is exponential, one token can be moved so that all the others look at it, and the output changes by a constant "
    "amount however long the text is. When the softmax is replaced by a rectifier the effect disappears. The authors "
    "then study learning: a model that is not sensitive to one word cannot be taught that this word flips the label, "
    "neither by fine tuning nor by training again, while a model on attention features can. Experiments with "
    "embeddings of film reviews confirm the theory.";
inline constexpr int kPaperSummaryToken = 42;

inline constexpr std::string_view kPaperTitle =
    "Towards Understanding the Word Sensitivity of Attention Layers: A Study via Random Features";
inline constexpr int kPaperTitleToken = 6;

}  // namespace wordsway
