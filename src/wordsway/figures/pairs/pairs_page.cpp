#include "wordsway/figures/pairs/pairs_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/draw/svg.h"
#include "wordsway/figures/page/page_parts.h"
#include "wordsway/io/row_text.h"
#include "wordsway/text/words/word_diff.h"

namespace wordsway {
namespace {

constexpr size_t kMostWorst = 20;
constexpr int kWidth = 720;  // of pictures, in pixels

constexpr const char* kStyle = R"css(
:root { --reversal: #b4472f; }
@media screen and (prefers-color-scheme: dark) { :root { --reversal: #f08a6c; } }
.outcome.open { background: var(--tint); color: var(--ink); }
.advice { padding-left: 1.2rem; max-width: 52rem; } .advice li { margin-bottom: 0.5rem; }
.plot { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.8rem; margin: 0 0 1.2rem; }
#classes td, #classes th { padding-left: 0.5rem; padding-right: 0.5rem; }
.key { font-size: 0.92rem; color: var(--soft); margin: 0.4rem 0 0; }
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

// The first thing that readers want to know.
std::string outcome(const PairAudit& audit) {
  const std::optional<bool> passed = audit.verdict.passed();
  // Without a rule, say which threshold to use, or that there is none.
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

// The two pictures.

constexpr const char *kReversal = "#b4472f", *kParaphrase = "#2c6e9b", *kLimit = "#222222";
constexpr size_t kBins = 48;

// A picture with what it shows, for those who do not see it, and a caption.
std::string figure_of(Chart chart, const std::string& title, const std::string& caption) {
  chart.title = title;
  const SvgPicture picture = draw_svg(chart, SvgUse::kPage, false);
  return fmt::format(
      "<figure class=\"plot\"><div class=\"canvas\" style=\"--width: {}\" tabindex=\"0\">{}</div>\n"
      "<p class=\"key\">{}</p></figure>\n",
      picture.width, picture.markup, escape_html(caption));
}

// From a little below the lowest value.
double axis_from(double lowest) {
  return std::max(-1.0, std::floor((lowest - 0.02) * 20) / 20);
}

Curve limit_line(CurvePoint from, CurvePoint to) {
  return {.colour = kLimit, .line = Line::kDashed, .points = {from, to}};
}

// The outline of a histogram, filled down to the axis.
Curve histogram(const std::vector<double>& values, double low, const char* colour) {
  std::array<double, kBins> shares{};
  const double width = (1 - low) / kBins;
  for (const double value : values) {
    const auto bin = std::clamp(static_cast<long>((value - low) / width), 0L, static_cast<long>(kBins) - 1);
    shares[static_cast<size_t>(bin)] += 1 / static_cast<double>(values.size());
  }
  Curve curve{.colour = colour, .band_opacity = 0.28};
  for (size_t k = 0; k < kBins; ++k)
    for (const size_t edge : {k, k + 1})
      curve.points.push_back({low + width * static_cast<double>(edge), shares[k], 0, shares[k]});
  return curve;
}

double highest(const std::vector<Curve>& curves) {
  double high = 0;
  for (const Curve& curve : curves)
    for (const CurvePoint& point : curve.points) high = std::max(high, point.y);
  return high;
}

// The similarities of both kinds, and the threshold.
std::string distribution(const PairAudit& audit) {
  std::vector<double> reversals, paraphrases;
  for (const AuditedPair& pair : audit.pairs) {
    if (stands_alone(pair.pair.class_name)) continue;
    reversals.push_back(pair.found.changed);
    if (pair.found.control) paraphrases.push_back(*pair.found.control);
  }
  // Only the pairs that merge are kept of all pairs of texts, and half a picture would mislead.
  if (reversals.empty() || static_cast<Index>(reversals.size()) < audit.all().pairs) return "";
  const double limit = audit.threshold.cosine();
  double lowest = std::min(limit, std::ranges::min(reversals));
  if (!paraphrases.empty()) lowest = std::min(lowest, std::ranges::min(paraphrases));
  const double low = axis_from(lowest);
  Panel panel{.x = {.label = "cosine", .low = low, .high = 1}, .y = {.label = "share"}};
  panel.curves.push_back(histogram(reversals, low, kReversal));
  if (!paraphrases.empty()) panel.curves.push_back(histogram(paraphrases, low, kParaphrase));
  panel.y.high = 1.08 * highest(panel.curves);
  const double shown = std::clamp(limit, low, 1.0);
  panel.curves.push_back(limit_line({shown, 0, 0, 0}, {shown, panel.y.high, 0, 0}));
  Chart chart{.panels = {panel}, .width = kWidth, .height = 260};
  chart.legend = {{fmt::format("reversals ({})", reversals.size()), kReversal, Line::kSolid},
                  {audit.threshold.describe(), kLimit, Line::kDashed}};
  if (!paraphrases.empty())
    chart.legend.insert(chart.legend.begin() + 1,
                        {fmt::format("paraphrases ({})", paraphrases.size()), kParaphrase, Line::kSolid});
  std::string caption = "Reversals: one word turns the meaning, so they should lie left of the line.";
  if (!paraphrases.empty()) caption += " Paraphrases: other words, same meaning, so they should lie right of it.";
  return "<section id=\"distribution\"><h2>Reversals and paraphrases</h2>\n" +
         figure_of(std::move(chart),
                   "Distribution of the similarity of anchors with their reversals and with their paraphrases",
                   caption) +
         "</section>\n";
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

// "3" for "layer 3", because there is little room below an axis.
std::string short_name(const std::string& step) {
  return step.starts_with("layer ") && step != "layer norm" ? step.substr(6) : step;
}

Curve medians(const std::vector<double>& values, const char* colour) {
  Curve curve{.colour = colour};
  for (size_t step = 0; step < values.size(); ++step)
    curve.points.push_back({static_cast<double>(step), values[step], values[step], values[step]});
  return curve;
}

// Two lines: the medians of both kinds after every step.
std::string step_lines(const PairAudit& audit) {
  const ClassSummary& all = audit.all();
  if (all.changed_by_step.size() < 2) return "";
  const double limit = audit.threshold.cosine(), end = static_cast<double>(audit.steps.size() - 1);
  double lowest = std::min(limit, std::ranges::min(all.changed_by_step));
  if (!all.control_by_step.empty()) lowest = std::min(lowest, std::ranges::min(all.control_by_step));
  Panel panel{.x = {.label = "embedding, layers and steps of the chain", .high = end},
              .y = {.label = "median cosine", .low = axis_from(lowest), .high = 1}};
  for (size_t step = 0; step < audit.steps.size(); ++step)
    panel.x.ticks.push_back({static_cast<double>(step), short_name(audit.steps[step])});
  panel.curves = {medians(all.changed_by_step, kReversal), medians(all.control_by_step, kParaphrase),
                  limit_line({0, limit, 0, 0}, {end, limit, 0, 0})};
  Chart chart{.panels = {panel}, .width = kWidth, .height = 250};
  chart.legend = {{"reversals", kReversal, Line::kSolid},
                  {"paraphrases", kParaphrase, Line::kSolid},
                  {audit.threshold.describe(), kLimit, Line::kDashed}};
  return figure_of(
      std::move(chart), "Median similarity of reversals and paraphrases after every step",
      "Where the line of reversals stays above the threshold, the encoder has lost most of the changed words.");
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
  return page_head(title, kStyle + page_chart_style({kReversal, kParaphrase, kLimit})) +
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
