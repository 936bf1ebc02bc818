// Pairs: two texts after every step, the built-in set, or a file that was dropped into the page.
#include <sstream>

#include <fmt/format.h>

#include "serve/endpoints.h"
#include "wordsway/audit/pair_audit.h"
#include "wordsway/audit/pairs_text.h"
#include "wordsway/core/error.h"
#include "wordsway/text/pairs/builtin_pairs.h"
#include "wordsway/text/pairs/pair_file.h"

namespace wordsway::serve {
namespace {

constexpr size_t kMostPairs = 10'000;
constexpr size_t kMostLines = 2000;  // every two of which are compared

// Pairs, or lines every two of which must stay apart.
struct PairsRequest {
  std::string model;
  std::vector<TextPair> pairs;
  std::vector<std::string> lines;
  PairAuditOptions options;
  PromptChoice prompt;
  bool of_two = false;  // texts that are compared
};

TextLines lines_of(std::istringstream& content) {
  constexpr std::uint64_t kMostUnpacked = std::uint64_t{16} << 20;
  return {open_bytes("-", content, kMostUnpacked), "the file"};
}

// A mistake in somebody's file is one in the data, as for the command.
void read_content(const std::string& content, const std::string& format, PairsRequest& request) {
  std::istringstream input(content);
  TextLines lines = lines_of(input);
  request.options.name = "a dropped file";
  if (format != "txt") {
    request.pairs = read_pairs(lines, format == "csv"   ? CorpusFormat::kCsv
                                      : format == "tsv" ? CorpusFormat::kTsv
                                                        : CorpusFormat::kJsonLines);
    if (request.pairs.size() > kMostPairs)
      throw DataError(
          fmt::format("the file has {} pairs; the page takes at most {}", request.pairs.size(), kMostPairs));
    return;
  }
  std::vector<TextPair> all;
  read_plain_text(lines, [&](LabelledText&& text) {
    if (!text.text.empty()) all.push_back({text.text, text.text});
    return true;
  });
  request.lines = distinct_texts(all);
  if (request.lines.size() > kMostLines)
    throw DataError(
        fmt::format("the file has {} lines; the page compares at most {}", request.lines.size(), kMostLines));
  request.options.rules.max_false_merges = 0;  // texts that must stay apart are a rule by themselves
}

PairsRequest read_pairs_request(const ServedModels& models, RequestArguments& ask) {
  PairsRequest request;
  request.model = read_model_name(models, ask);
  request.options.threshold = choose_threshold(ask.number("threshold"), ask.text("unit"), ask.text("preset"));
  request.prompt = {ask.text("prompt_name"), ask.text("prompt")};
  const auto a = ask.text("a"), b = ask.text("b");
  const auto content = ask.long_text("content");
  const std::string format = ask.one_of("format", {"csv", "tsv", "jsonl", "txt"});
  const bool wants_set = ask.has("set");
  ask.one_of("set", {"builtin"});
  ask.finish();
  if (a.has_value() != b.has_value()) throw UsageError("a and b belong together: give both texts");
  if ((a ? 1 : 0) + (content ? 1 : 0) + (wants_set ? 1 : 0) > 1)
    throw UsageError("give two texts (a and b), content or set, and not two of them");
  if (a) {
    request.pairs = {{*a, *b, {}, kUnnamedClass}};
    request.options.name = "two texts";
    request.of_two = true;
  } else if (content) {
    read_content(*content, format, request);
  } else {
    request.pairs = builtin_pairs();
  }
  return request;
}

Prepared pairs(const ServedModels& models, RequestArguments& ask) {
  auto request = std::make_shared<const PairsRequest>(read_pairs_request(models, ask));
  return {request->lines.empty() ? fmt::format("{} pairs", request->pairs.size())
                                 : fmt::format("{} texts", request->lines.size()),
          [&models, request](Job& job) {
            const auto model = open_model(models, request->model, job);
            PairAuditOptions options = request->options;
            options.prompt = choose_prompt(*model, request->prompt, true);
            const PairAudit found = request->lines.empty()
                                        ? audit_pairs(*model, request->pairs, options, job.progress())
                                        : audit_all(*model, request->lines, options, job.progress());
            return one_line_json(format_pairs(found, "json", request->of_two));
          }};
}

}  // namespace

std::vector<Endpoint> pairs_endpoints(const ServedModels& models) {
  return {{"pairs", [&models](RequestArguments& ask) { return pairs(models, ask); }}};
}

}  // namespace wordsway::serve
