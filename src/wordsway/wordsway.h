// All of wordsway that is meant for its users, in the order in which one meets it.
//
//   const auto model = wordsway::load_model("models/builtin");
//   for (const auto& found : wordsway::word_effects(model, "the film was not good"))
//     std::printf("%-8s %.3f\n", found.word.text.c_str(), found.typical->change);
//
// What is in namespace `detail`, and headers that are not listed here, may change at any time.
#pragma once

// A model and a text: which word matters, layer by layer, where tokens look, vectors, masks, texts that decoders write.
#include "wordsway/audit/answers.h"
#include "wordsway/audit/attention.h"
#include "wordsway/audit/embed.h"
#include "wordsway/audit/generate.h"
#include "wordsway/audit/layers.h"
#include "wordsway/audit/model.h"
#include "wordsway/audit/similarity.h"
#include "wordsway/audit/substitute.h"
#include "wordsway/audit/words.h"
// A map and a sample: word sensitivity as the paper defines it, and what can be learnt from such features.
#include "wordsway/learning/generalization.h"
#include "wordsway/maps/feature_map.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/sensitivity/scaling_fit.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/sensitivity/word_changes.h"
// Samples: synthetic, from arrays, from texts.
#include "wordsway/data/data_source.h"
#include "wordsway/data/embedding_source.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/data/review_source.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/io/npy.h"
#include "wordsway/text/corpus/corpus.h"
// Studies: many measurements, with a journal from which they go on.
#include "wordsway/io/journal.h"
#include "wordsway/run/estimate.h"
#include "wordsway/run/run_study.h"
#include "wordsway/study/attention_array_study.h"
#include "wordsway/study/generalize_study.h"
#include "wordsway/study/measure_rows.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/model_study.h"
#include "wordsway/study/summary.h"
#include "wordsway/study/word_studies.h"
// What all of them speak in.
#include "wordsway/core/error.h"
#include "wordsway/core/matrix.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/progress.h"
#include "wordsway/core/record.h"
#include "wordsway/random/stream.h"
