#include "wordsway/figures/pairs/pairs_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/figures/page/page_parts.h"
#include "wordsway/io/row_text.h"
#include "wordsway/text/words/word_diff.h"

namespace wordsway {
namespace {

constexpr size_t kMostWorst = 20;

constexpr const char* kStyle = R"css(
:root { --reversal: #b4472f; --paraphrase: #2c6e9b; }
@media screen and (prefers-color-scheme: dark) { :root { --reversal: #f08a6c; --paraphrase: #7fb8e0; } }
.outcome.open { background: var(--tint); color: var(--ink); }
.advice { padding-left: 1.2rem; max-width: 52rem; } .advice li { margin-bottom: 0.5rem; }
.plot { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.8rem; margin: 0 0 1.2rem; }
#classes td, #classes th { padding-left: 0.5rem; padding-right: 0.5rem; }
.plot text { fill: var(--soft); font: 13px var(--sans); }
.plot .axis { stroke: var(--line); } .plot .limit { stroke: var(--ink); stroke-dasharray: 5 4; }
.plot .limit-name { fill: var(--ink); font-weight: 600; }
.reversal { fill: var(--reversal); } .paraphrase { fill: var(--paraphrase); }
.plot polyline { fill: none; stroke-width: 2.5; } polyline.reversal { stroke: var(--reversal); } polyline.paraphrase { stroke: var(--paraphrase); }
.plot path { fill-opacity: 0.28; stroke-width: 2; } path.reversal { stroke: var(--reversal); } path.paraphrase { stroke: var(--paraphrase); }
.key { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; font-size: 0.92rem; color: var(--soft); margin: 0.4rem 0 0; }
.key b { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 0.2em; margin-right: 0.45em; }
.key .reversal { background: var(--reversal); } .key .paraphrase { background: var(--paraphrase); }
.heat td.step { text-align: right; background: color-mix(in srgb, var(--reversal) var(--heat), var(--card)); }
.sheet th.number { text-align: right; }
.sheet tr.sum td { font-weight: 600; } .sheet tr.apart td:first-child { color: var(--soft); }
.worst { list-style: none; padding: 0; margin: 0; display: grid; gap: 0.7rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); }
.worst li { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.8rem 1rem; }
.worst p { margin: 0.2rem 0; } .worst .facts { font-size: 0.85rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.worst mark { background: color-mix(in srgb, var(--reversal) 22%, var(--card)); color: inherit; border-radius: 0.2em; padding: 0 0.15em; font-weight: 600; }
.worst .control { color: var(--soft); font-size: 0.95rem; }
)css";

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "–";
}
std::string area(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "–";
}
std::string rate(const std::optional<double>& value) {
  return value ? percent(*value) : "–";
}

// What the reader wants to know first.
std::string outcome(const PairAudit& audit) {
  const std::optional<bool> passed = audit.verdict.passed();
  // Without a rule there is still something to say first: the threshold to use, or that there is none.
  const auto& advice = audit.verdict.recommendation;
  std::string text = advice.size() > 1 ? escape_html(advice[1]) : "No rule was given.";
  if (passed) text = *passed ? "All rules hold." : escape_html(audit.verdict.failures());
  return fmt::format("<p class=\"outcome {}\"><span class=\"mark\" aria-hidden=\"true\">{}</span><span>{}</span></p>\n",
                     !passed   ? "open"
                     : *passed ? "good"
                               : "bad",
                     !passed   ? "i"
                     : *passed ? "✓"
                               : "✗",
                     text);
}

std::string advice(const PairAudit& audit) {
  std::string items;
  for (const std::string& sentence : audit.verdict.recommendation)
    items += fmt::format("<li>{}</li>\n", escape_html(sentence));
  return fmt::format("<section id=\"advice\"><h2>What to make of it</h2>\n<ul class=\"advice\">\n{}</ul></section>\n",
                     items);
}

// Similarities of both kinds as two curves of steps, and the threshold.

struct Frame {
  double low, high = 1;
  static constexpr double kLeft = 12, kWidth = 696, kTop = 26, kBottom = 220;

  double x(double similarity) const { return kLeft + kWidth * (similarity - low) / (high - low); }
};

constexpr size_t kBins = 48;

// Which share of the values lies in each bin.
std::array<double, kBins> shares_of(const Frame& frame, const std::vector<double>& values) {
  std::array<double, kBins> bins{};
  for (const double value : values) {
    const auto bin = static_cast<long>((value - frame.low) / (frame.high - frame.low) * static_cast<double>(kBins));
    bins[static_cast<size_t>(std::clamp(bin, 0L, static_cast<long>(kBins) - 1))] +=
        1 / static_cast<double>(values.size());
  }
  return bins;
}

std::string histogram(const std::array<double, kBins>& shares, const char* kind, double most) {
  std::string path = fmt::format("M{:.1f} {:.1f}", Frame::kLeft, Frame::kBottom);
  for (size_t k = 0; k < kBins; ++k) {
    const double y = Frame::kBottom - (Frame::kBottom - Frame::kTop) * shares[k] / most;
    path += fmt::format("V{:.1f}H{:.1f}", y, Frame::kLeft + Frame::kWidth * static_cast<double>(k + 1) / kBins);
  }
  return fmt::format("<path class=\"{}\" d=\"{}V{:.1f}Z\"/>\n", kind, path, Frame::kBottom);
}

std::string axis(const Frame& frame) {
  std::string marks = fmt::format("<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\"/>\n", Frame::kLeft,
                                  Frame::kLeft + Frame::kWidth, Frame::kBottom);
  const double step = frame.high - frame.low > 0.8 ? 0.2 : frame.high - frame.low > 0.3 ? 0.1 : 0.05;
  for (double at = std::ceil(frame.low / step) * step; at < frame.high + 1e-9; at += step)
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.2f}</text>\n",
                         std::clamp(frame.x(at), 20.0, 700.0), Frame::kBottom + 18, std::abs(at) < 1e-9 ? 0 : at);
  return marks;
}

std::string threshold_line(const Frame& frame, const Threshold& threshold) {
  const double x = std::clamp(frame.x(threshold.cosine()), Frame::kLeft, Frame::kLeft + Frame::kWidth);
  return fmt::format(
      "<line class=\"limit\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n"
      "<text class=\"limit-name\" x=\"{0:.1f}\" y=\"16\" text-anchor=\"{3}\">{4}</text>\n",
      x, 22, Frame::kBottom, x > 360 ? "end" : "start", escape_html(threshold.describe()));
}

std::string distribution(const PairAudit& audit) {
  std::vector<double> reversals, paraphrases;
  for (const AuditedPair& pair : audit.pairs) {
    if (stands_alone(pair.pair.class_name)) continue;
    reversals.push_back(pair.found.changed);
    if (pair.found.control) paraphrases.push_back(*pair.found.control);
  }
  // Of every two texts only those that merge are kept: half a picture would mislead.
  if (reversals.empty() || static_cast<Index>(reversals.size()) < audit.all().pairs) return "";
  double low = std::min(audit.threshold.cosine(), std::ranges::min(reversals));
  if (!paraphrases.empty()) low = std::min(low, std::ranges::min(paraphrases));
  const Frame frame{std::max(-1.0, std::floor((low - 0.02) * 20) / 20)};
  const auto reversed = shares_of(frame, reversals), kept = shares_of(frame, paraphrases);
  const double most = std::max(std::ranges::max(reversed), std::ranges::max(kept));
  std::string curves = histogram(reversed, "reversal", most);
  if (!paraphrases.empty()) curves += histogram(kept, "paraphrase", most);
  return fmt::format(
      "<section id=\"distribution\"><h2>Reversals and paraphrases</h2>\n<figure class=\"plot\"><div class=\"canvas\" "
      "style=\"--width: 720\" tabindex=\"0\"><svg viewBox=\"0 0 720 262\" role=\"img\"><title>Distribution of the "
      "similarity of anchors "
      "with their reversals and with their paraphrases</title>\n{}{}{}<text x=\"360\" y=\"257\" "
      "text-anchor=\"middle\">cosine</text></svg></div>\n"
      "<p class=\"key\"><span><b class=\"reversal\"></b>reversals ({}): one word turns the meaning, they should lie "
      "left "
      "of the line</span>{}</p></figure></section>\n",
      curves, axis(frame), threshold_line(frame, audit.threshold), reversals.size(),
      paraphrases.empty()
          ? ""
          : fmt::format("<span><b class=\"paraphrase\"></b>paraphrases ({}): other words, same meaning, "
                        "they should lie right of it</span>",
                        paraphrases.size()));
}

std::string class_of_row(const ClassSummary& summary, const PairAudit& audit) {
  if (&summary == &audit.all()) return " class=\"sum\"";
  return stands_alone(summary.class_name) ? " class=\"apart\"" : "";
}

std::string class_table(const PairAudit& audit) {
  std::string head, body;
  for (const char* name :
       {"pairs", "changed", "control", "merged", "95%", "kept", "AUROC", "95%", "inverted", "for 1%", "kept then"})
    head += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", name);
  for (const ClassSummary& summary : audit.classes) {
    const RateInterval merges = wilson_interval(summary.merged, summary.pairs);
    const auto range = [](bool there, std::string low, std::string high) {
      return there ? fmt::format("{} – {}", low, high) : std::string("–");
    };
    const std::vector<std::string> cells = {
        std::to_string(summary.pairs),
        number(summary.median_changed),
        number(summary.median_control),
        rate(summary.merge_rate()),
        range(summary.pairs > 0, percent(merges.low), percent(merges.high)),
        rate(summary.keep_rate()),
        area(summary.auroc),
        range(summary.auroc.has_value(), area(summary.auroc_interval.low), area(summary.auroc_interval.high)),
        rate(summary.inversion_rate),
        summary.threshold_1pct ? fmt::format("{:.4f}", *summary.threshold_1pct) : "–",
        rate(summary.control_kept_at_1pct)};
    body += fmt::format("<tr{}><td>{}</td>", class_of_row(summary, audit), escape_html(summary.class_name));
    for (const std::string& cell : cells) body += fmt::format("<td class=\"number\">{}</td>", cell);
    body += "</tr>\n";
  }
  return fmt::format(
      "<section id=\"classes\"><h2>Classes</h2>\n<p>Changed, control: median cosine with the anchor. Merged: within "
      "{}. For <code>neutral</code>, whose changes mean "
      "nothing, merging is right; <code>neutral</code> and <code>role-swap</code> are not counted in "
      "<code>all</code>. Kept: paraphrases within the threshold. Inverted: the changed text is more similar than the "
      "paraphrase. For 1%: the least cosine at which at most 1% of the pairs merge, and the paraphrases "
      "that it keeps.</p>\n<div class=\"sheet\" tabindex=\"0\"><table><thead><tr><th "
      "scope=\"col\">class</th>{}</tr></thead>\n<tbody>\n{}</tbody></table></div></section>\n",
      escape_html(audit.threshold.describe()), head, body);
}

// "3" for "layer 3": below an axis there is little room.
std::string short_name(const std::string& step) {
  return step.starts_with("layer ") && step != "layer norm" ? step.substr(6) : step;
}

// The medians of both kinds after every step, as two lines.
std::string step_lines(const PairAudit& audit) {
  const ClassSummary& all = audit.all();
  if (all.changed_by_step.size() < 2) return "";
  constexpr double kLeft = 46, kRight = 700, kHigh = 20, kLow = 190;
  double low = std::min(audit.threshold.cosine(), std::ranges::min(all.changed_by_step));
  if (!all.control_by_step.empty()) low = std::min(low, std::ranges::min(all.control_by_step));
  low = std::max(-1.0, std::floor((low - 0.02) * 20) / 20);
  const auto x = [&](size_t step) {
    return kLeft + (kRight - kLeft) * static_cast<double>(step) / static_cast<double>(audit.steps.size() - 1);
  };
  const auto y = [&](double value) { return kLow - (kLow - kHigh) * (value - low) / (1 - low); };
  const auto line = [&](const std::vector<double>& values, const char* kind) {
    std::string points;
    for (size_t step = 0; step < values.size(); ++step)
      points += fmt::format("{:.1f},{:.1f} ", x(step), y(values[step]));
    return fmt::format("<polyline class=\"{}\" points=\"{}\"/>\n", kind, points);
  };
  std::string marks;
  for (const double value : {low, (low + 1) / 2, 1.0})
    marks +=
        fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.2f}</text>\n", kLeft - 8, y(value) + 4, value);
  // Names of many layers would run into each other.
  const size_t every = (audit.steps.size() + 8) / 9;
  for (size_t step = 0; step < audit.steps.size(); step += every)
    marks += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x(step), kLow + 22,
                         step == 0                        ? "start"
                         : step + 1 == audit.steps.size() ? "end"
                                                          : "middle",
                         escape_html(short_name(audit.steps[step])));
  return fmt::format(
      "<figure class=\"plot\"><div class=\"canvas\" style=\"--width: 720\" tabindex=\"0\"><svg viewBox=\"0 0 720 220\" "
      "role=\"img\"><title>Median similarity of reversals and paraphrases after every step</title>\n{}{}{}<line "
      "class=\"limit\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/></svg></div>\n<p class=\"key\"><span><b "
      "class=\"reversal\"></b>reversals: median cosine after the embedding, every layer and the steps of the "
      "chain</span><span><b "
      "class=\"paraphrase\"></b>paraphrases</span></p></figure>\n",
      line(all.changed_by_step, "reversal"), line(all.control_by_step, "paraphrase"), marks, kLeft, kRight,
      y(audit.threshold.cosine()), y(audit.threshold.cosine()));
}

std::string lost_table(const PairAudit& audit) {
  if (audit.steps.empty()) return "";
  std::string head, body, shares;
  for (const std::string& step : audit.steps)
    head += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", escape_html(step));
  for (const ClassSummary& summary : audit.classes) {
    if (summary.lost_by_step.empty()) continue;
    body += fmt::format("<tr{}><td>{}</td>", class_of_row(summary, audit), escape_html(summary.class_name));
    for (const double lost : summary.lost_by_step)
      body += fmt::format("<td class=\"step\" style=\"--heat: {:.0f}%\">{}</td>", 50 * lost, percent(lost));
    body += "</tr>\n";
  }
  const auto& own = audit.all().own_share_by_step;
  if (!own.empty() && own.back())
    shares = fmt::format(
        "<p>After the last layer, the changed word's own rows carry {} of the difference between the pooled vectors "
        "(median over all pairs); the rows of the other words carry the rest.</p>\n",
        percent(*own.back()));
  return fmt::format(
      "<section id=\"lost\"><h2>Where pairs are lost</h2>\n{}<p>Share of the pairs that from this step on stay within "
      "the threshold to the end. Rows are pooled after every layer as the model pools its last one.</p>\n{}"
      "<div class=\"sheet heat\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">class</th>{}</tr></thead>\n"
      "<tbody>\n{}</tbody></table></div></section>\n",
      step_lines(audit), shares, head, body);
}

std::string marked(const std::string& text, const std::vector<TextPlace>& places) {
  std::string result;
  size_t done = 0;
  for (const auto& [begin, end] : places) {
    result += escape_html(std::string_view(text).substr(done, begin - done));
    result += fmt::format("<mark>{}</mark>", escape_html(std::string_view(text).substr(begin, end - begin)));
    done = end;
  }
  return result + escape_html(std::string_view(text).substr(done));
}

std::string worst_pairs(const PairAudit& audit) {
  const std::vector<const AuditedPair*> worst = most_similar(audit.pairs, kMostWorst);
  if (worst.empty()) return "";
  std::string items;
  for (const AuditedPair* pair : worst) {
    const WordDiff diff = word_diff(pair->pair.anchor, pair->pair.changed);
    std::string facts = fmt::format("{} · {:.4f}{}", escape_html(pair->pair.class_name), pair->found.changed,
                                    pair->merged ? "" : " · apart");
    if (pair->lost_at) facts += fmt::format(" · lost from {} on", escape_html(audit.steps[*pair->lost_at]));
    std::string control;
    if (pair->pair.control)
      control = fmt::format("<p class=\"control\">{:.4f} with its paraphrase: {}</p>", *pair->found.control,
                            escape_html(*pair->pair.control));
    items += fmt::format("<li><p class=\"facts\">{}</p><p>{}</p><p>{}</p>{}</li>\n", facts,
                         marked(pair->pair.anchor, diff.in_first), marked(pair->pair.changed, diff.in_second), control);
  }
  return fmt::format(
      "<section id=\"worst\"><h2>The {} most similar pairs, one for each changed word</h2>\n<ul "
      "class=\"worst\">\n{}</ul></section>\n",
      worst.size(), items);
}

std::string settings(const PairAudit& audit) {
  std::string list;
  for (const auto& [name, value] : audit.config.fields())
    list += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_html(table_cell(value)));
  return fmt::format("<section id=\"settings\"><h2>How it was made</h2>\n<dl>\n{}</dl></section>\n", list);
}

std::string model_name(const PairAudit& audit) {
  return audit.config.missing("model") ? "the encoder" : audit.config.text("model");
}

}  // namespace

std::string pairs_html(const PairAudit& audit) {
  const std::string title = fmt::format("Does {} notice the word that turns the meaning?", model_name(audit));
  return page_head(title, kStyle) +
         fmt::format(
             "<body>\n<header class=\"masthead\"><p class=\"label\">wordsway · pairs</p><h1>{}</h1>\n"
             "<p class=\"subtitle\">{} pairs at {}{}</p>\n{}</header>\n<main>\n",
             escape_html(title), audit.all().pairs, escape_html(audit.threshold.describe()),
             audit.threshold.preset.empty() ? "" : escape_html(fmt::format(", the preset {}", audit.threshold.preset)),
             outcome(audit)) +
         advice(audit) + distribution(audit) + class_table(audit) + lost_table(audit) + worst_pairs(audit) +
         settings(audit) +
         "</main>\n<footer>One file, nothing fetched from outside. Made by wordsway.</footer>\n</body>\n</html>\n";
}

}  // namespace wordsway
