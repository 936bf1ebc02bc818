#include "wordsway/figures/page/page_parts.h"

#include <fmt/format.h>

namespace wordsway {

std::string anchor_of(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    result += kept ? c : '-';
  }
  return result;
}

std::string page_head(std::string_view title, std::string_view more_style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n",
      escape_html(title), kReportStyle, more_style);
}

const char* const kAboutWordSensitivity = R"html(
<section id="about">
<h2>What word sensitivity is, and what it is not</h2>
<div class="about">
<div>
<p>A text of <i>n</i> words is a list of vectors <i>x</i><sub>1</sub> … <i>x</i><sub><i>n</i></sub> of length √<i>d</i> in
<i>d</i> dimensions. Move one of them, word <i>i</i>, by some Δ that is no longer than the word itself. The word sensitivity of a
representation φ is the largest relative change that such a move can cause:</p>
<div class="formula"><math display="block"><mrow><msub><mi>S</mi><mi>i</mi></msub><mo stretchy="false">(</mo><mi>X</mi><mo stretchy="false">)</mo><mo>=</mo>
<munder><mo>sup</mo><mrow><mo>‖</mo><mi mathvariant="normal">Δ</mi><mo>‖</mo><mo>≤</mo><msqrt><mi>d</mi></msqrt></mrow></munder>
<mfrac><mrow><mo>‖</mo><mi>φ</mi><mo stretchy="false">(</mo><msup><mi>X</mi><mi>i</mi></msup><mo stretchy="false">(</mo><mi mathvariant="normal">Δ</mi><mo stretchy="false">)</mo><mo stretchy="false">)</mo>
<mo>−</mo><mi>φ</mi><mo stretchy="false">(</mo><mi>X</mi><mo stretchy="false">)</mo><mo>‖</mo></mrow>
<mrow><mo>‖</mo><mi>φ</mi><mo stretchy="false">(</mo><mi>X</mi><mo stretchy="false">)</mo><mo>‖</mo></mrow></mfrac></mrow></math></div>
<p>Near 0, no change of that one word can be seen in the representation. Of order 1, a single word can turn it around, however
long the text. The idea and the statements tested here are those of S. Bombari and M. Mondelli, <i>Towards Understanding the Word
Sensitivity of Attention Layers: A Study via Random Features</i> (ICML 2024, arXiv 2402.02969).</p>
<p>A verdict compares a measured number with a threshold that was written into the program before the run. It speaks of this run:
its sizes, its data, its trials.</p>
</div>
<div>
<p class="label">What it is not</p>
<ul>
<li><b>Not a change to another real word.</b> The worst move among all directions of the embedding space counts; hardly any
point it reaches is the embedding of a word.</li>
<li><b>Not the exact supremum.</b> A search finds a lower value of it, the best of several starts. An upper bound stands beside it
where one is known; the truth lies between the two.</li>
<li><b>Not the robustness of a classifier.</b> A representation can move far while no label changes, and a label can change
after a small move.</li>
<li><b>Not an attribution.</b> It does not say which word caused an answer, or how much.</li>
<li><b>Not always a trained model.</b> Random features and random attention are layers with random weights, for which theorems
hold. Only figures that name a model speak of a trained one.</li>
</ul>
</div>
</div>
</section>
)html";

// The colours of charts on a dark page are chosen one by one (draw/colours.h): inverting all of them with a filter
// muddied heat maps and hid the palest curves.
const char* const kReportStyle = R"css(
:root {
  color-scheme: light dark;
  --paper: #faf9f6; --card: #ffffff; --ink: #1d2329; --soft: #59636e; --line: #dedcd5; --tint: #f1efe9; --shade: #00000038;
  --accent: #1f6a75; --good: #17693f; --good-tint: #e4f2e9; --bad: #a8281e; --bad-tint: #fbe7e4;
  --serif: "Iowan Old Style", Charter, "Bitstream Charter", "Source Serif 4", Georgia, "Noto Serif", "DejaVu Serif", serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #121518; --card: #1a1e22; --ink: #e7e5e0; --soft: #a2a9b0; --line: #32383e; --tint: #20252a; --shade: #000000b0;
    --accent: #77c4cc; --good: #79cf9d; --good-tint: #18321f; --bad: #ff9d90; --bad-tint: #3f1d19;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--sans); overflow-wrap: break-word; }
main, .masthead, footer { max-width: 72rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 0.06em; }
a:focus-visible, summary:focus-visible, .canvas:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance; margin: 0; }
h1 { font-size: clamp(1.9rem, 1.3rem + 2.6vw, 3rem); letter-spacing: -0.012em; }
h2 { font-size: clamp(1.45rem, 1.2rem + 1vw, 1.9rem); margin: 4rem 0 1.25rem; }
h3 { font-size: clamp(1.2rem, 1.1rem + 0.5vw, 1.45rem); }
.figure > h3 { margin-bottom: 1rem; }
h4 { font-size: 0.95rem; font-weight: 600; margin: 1.5rem 0 0.5rem; }
p { margin: 0 0 0.9rem; max-width: 44rem; }
code { font: 0.9em/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.label { font-size: 0.78rem; font-weight: 600; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); }

.masthead { padding-top: clamp(2rem, 6vw, 4.5rem); }
.masthead .label { margin-bottom: 0.7rem; }
.subtitle { font-size: 1.15rem; color: var(--soft); margin: 0.8rem 0 0; max-width: 46rem; }
.outcome { display: flex; gap: 0.85rem; align-items: center; margin: 2rem 0 0; padding: 0.9rem 1.2rem; border-radius: 0.6rem;
  font-size: 1.15rem; font-weight: 600; max-width: none; }
.outcome .mark { font-size: 1.3em; line-height: 1; }
.good { color: var(--good); } .bad { color: var(--bad); }
.outcome.good { background: var(--good-tint); } .outcome.bad { background: var(--bad-tint); }

table { border-collapse: collapse; width: 100%; font-size: 0.95rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
th { text-align: left; font-size: 0.78rem; letter-spacing: 0.03em; color: var(--soft); font-weight: 600; padding: 0.5rem 0.8rem;
  border-bottom: 1px solid var(--line); vertical-align: bottom; }
td { padding: 0.75rem 0.8rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.verdict-table, .sheet, .panel { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; }
.verdict-table { overflow: hidden; }
.verdict-table tr:last-child td, .sheet tr:last-child td { border-bottom: 0; }
.verdict-table td:first-child, .verdict-table th:first-child { padding-left: 1.2rem; white-space: nowrap; }
.verdict-table .statement { width: 40%; } .verdict-table .statement a { display: block; font-size: 0.85rem; margin-top: 0.15rem; }
.verdict-table td { overflow-wrap: anywhere; } .verdict-table .place { color: var(--soft); }
.holds { font-weight: 600; white-space: nowrap; } .holds .mark { display: inline-block; width: 1.3em; }

.facts dl { grid-template-columns: max-content minmax(0, 1fr); margin-top: 1.4rem; max-width: 54rem; }
.story { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem; margin-top: 2rem; }
.story h3 { font-size: 1.08rem; padding: 1rem 1.1rem 0.2rem; }
.folds details { margin: 0; border-top: 1px solid var(--line); } .folds details:last-child { border-bottom: 1px solid var(--line); }
.folds summary { color: var(--ink); font-size: 1rem; padding: 0.6rem 0.2rem 0.6rem 8.1rem; text-indent: -7.9rem; }
.folds summary > span { display: inline-block; min-width: 6.5rem; font-weight: 600; text-indent: 0; }
.on { margin: 0.2rem 0 0.7rem; font-size: 0.92rem; color: var(--soft); }
.folds .more { margin: 0.5rem 0 1rem; font-size: 0.92rem; }

.contents { columns: 3 15rem; column-gap: 2rem; padding: 0; margin: 1.25rem 0 0; list-style: none; font-size: 0.95rem; }
.contents li { break-inside: avoid; padding: 0.18rem 0; }

.figure { border-top: 1px solid var(--line); padding: 2.5rem 0 0.5rem; margin-top: 2.5rem; }
h2 + .figure { border-top: 0; margin-top: 0; padding-top: 0; }
.reading { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0.6rem 2.5rem; margin: 0 0 1.4rem; }
.reading p { margin: 0.2rem 0 0; }
.panels { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem; }
.panel { margin: 0; overflow: hidden; }
.panel.wide, .panel:only-child { grid-column: 1 / -1; }
.panel:only-child:not(.wide) { max-width: 45rem; }
/* Labels stay readable: a chart that would be drawn too small scrolls inside its card, whose edge is shaded on the side
   where there is more to see. */
.canvas, .sheet { overflow-x: auto; background:
    linear-gradient(to right, var(--card) 40%, transparent) 0 0 / 3rem 100% local no-repeat,
    linear-gradient(to left, var(--card) 40%, transparent) 100% 0 / 3rem 100% local no-repeat,
    linear-gradient(to right, var(--shade), transparent) 0 0 / 1rem 100% scroll no-repeat,
    linear-gradient(to left, var(--shade), transparent) 100% 0 / 1rem 100% scroll no-repeat, var(--card); }
.canvas { padding: 0.6rem; }
.canvas svg { display: block; width: 100%; height: auto; min-width: calc(var(--width) * 0.6px); }
.story .canvas svg { min-width: 0; }
figcaption { padding: 0 1.1rem 0.95rem; font-size: 0.92rem; line-height: 1.5; color: var(--soft); }
figcaption strong { color: var(--ink); font-weight: 600; }
.verdicts { list-style: none; margin: 1.3rem 0 0; padding: 0; }
.verdicts li { padding: 0.7rem 1rem; border-left: 3px solid currentColor; margin-bottom: 0.6rem; background: var(--tint); border-radius: 0 0.4rem 0.4rem 0; }
.verdicts li > * { color: var(--ink); } .verdicts li > .holds { color: inherit; }
.verdicts p { margin: 0.15rem 0 0; max-width: none; } .verdicts .numbers { font-size: 0.92rem; color: var(--soft); }

details { margin: 1rem 0 0; }
summary { cursor: pointer; color: var(--accent); font-size: 0.95rem; padding: 0.35rem 0; }
.sheet { margin: 0.5rem 0 0; }
.sheet td, .sheet th { padding: 0.4rem 0.9rem; white-space: nowrap; font-size: 0.88rem; }
.sheet .number { text-align: right; } .sheet .prose { white-space: normal; min-width: 18rem; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: 0.3rem 1.6rem; margin: 0.5rem 0 0;
  font-size: 0.92rem; line-height: 1.5; }
dt { color: var(--soft); } dd { margin: 0; font-variant-numeric: tabular-nums; }

.about { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem 3.5rem; }
.about math { font-size: 1.1rem; } .formula { overflow-x: auto; padding: 0.4rem 0; max-width: 100%; }
.about ul { padding-left: 1.1rem; margin: 0.4rem 0 0; } .about li { margin-bottom: 0.6rem; } .about li::marker { color: var(--soft); }
footer { margin-top: 5rem; padding-top: 1.4rem; padding-bottom: 3rem; color: var(--soft); font-size: 0.9rem; }

@media (max-width: 46rem) {
  body { font-size: 1rem; }
  h2 { margin-top: 3rem; }
  .panels { grid-template-columns: minmax(0, 1fr); }
  .canvas { padding: 0.35rem; }
  .verdict-table { background: none; border: 0; border-radius: 0; overflow: visible; }
  .verdict-table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .verdict-table table, .verdict-table tbody { display: block; }
  .verdict-table tr { display: grid; grid-template-columns: minmax(6.5rem, max-content) minmax(0, 1fr); gap: 0.3rem 0.9rem;
    background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.9rem 1rem; margin-bottom: 0.8rem; }
  .verdict-table td, .verdict-table td:first-child { display: contents; white-space: normal; }
  .verdict-table td::before { content: attr(data-label); color: var(--soft); font-size: 0.85rem; }
  .verdict-table td.statement, .verdict-table td.state { display: block; grid-column: 1 / -1; padding: 0; border: 0; width: auto; }
  .verdict-table td.statement::before, .verdict-table td.state::before { content: none; }
  dl, .facts dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: 0.55rem; }
}
@media print {
  body { background: none; } .panel, .verdicts li, tr { break-inside: avoid; } .canvas svg { min-width: 0; }
}
)css";

}  // namespace wordsway
