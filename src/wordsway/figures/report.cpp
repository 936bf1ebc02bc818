#include "wordsway/figures/report.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "wordsway/draw/svg.h"
#include "wordsway/figures/page/page_parts.h"

namespace wordsway {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

constexpr double kWidePicture = 800;  // wider ones get a row to themselves
constexpr size_t kLongTable = 12;     // longer ones are folded

std::string link_to(const ReportFigure& figure) {
  return "figure-" + anchor_of(figure.name);
}

// A word and a mark, so that nothing depends on colour.
std::string state(bool holds) {
  return fmt::format("<span class=\"holds {}\"><span class=\"mark\" aria-hidden=\"true\">{}</span>{}</span>",
                     holds ? "good" : "bad", holds ? "✓" : "✗", holds ? "holds" : "does not hold");
}

// The first thing that readers want to know.
std::string outcome(const Report& report) {
  size_t count = 0, held = 0;
  for (const ReportFigure& figure : report.figures)
    for (const Verdict& verdict : figure.verdicts) {
      ++count;
      held += verdict.holds ? 1 : 0;
    }
  if (count == 0) return "";
  const std::string text = count == 1      ? (held == 1 ? "The statement holds." : "The statement does not hold.")
                           : held == count ? fmt::format("All {} statements hold.", count)
                                           : fmt::format("{} of {} statements hold, {} {} not.", held, count,
                                                         count - held, count - held == 1 ? "does" : "do");
  return fmt::format("<p class=\"outcome {}\"><span class=\"mark\" aria-hidden=\"true\">{}</span><span>{}</span></p>\n",
                     held == count ? "good" : "bad", held == count ? "✓" : "✗", text);
}

std::string verdict_row(const Verdict& verdict) {
  return fmt::format(
      "<tr role=\"row\"><td role=\"cell\" class=\"state\">{}</td>\n"
      "<td role=\"cell\" class=\"statement\">{}</td>\n"
      "<td role=\"cell\" class=\"place\" data-label=\"In the paper\"><span>{}</span></td>\n"
      "<td role=\"cell\" data-label=\"Measured\"><span>{}</span></td>\n"
      "<td role=\"cell\" data-label=\"Threshold\"><span>{}</span></td></tr>\n",
      state(verdict.holds), escape_html(verdict.statement), escape_html(verdict.place), escape_html(verdict.measured),
      escape_html(verdict.threshold));
}

std::string measured_on(const ReportFigure& figure) {
  return figure.data.empty() ? "" : fmt::format("<p class=\"on\">Measured on {}.</p>\n", escape_html(figure.data));
}

// Folded, with the number that hold; open if one does not.
std::string verdicts_of(const ReportFigure& figure) {
  std::string rows, head;
  size_t held = 0;
  for (const Verdict& verdict : figure.verdicts) {
    rows += verdict_row(verdict);
    held += verdict.holds ? 1 : 0;
  }
  if (rows.empty()) return "";
  for (const char* name : {"Verdict", "Statement", "In the paper", "Measured", "Threshold"})
    head += fmt::format("<th role=\"columnheader\" scope=\"col\">{}</th>", name);
  const bool all = held == figure.verdicts.size();
  return fmt::format(
      "<details{}><summary><span class=\"{}\"><span class=\"mark\" aria-hidden=\"true\">{}</span> {} of {}</span> {}"
      "</summary>\n{}<div class=\"verdict-table\"><table role=\"table\">\n"
      "<thead role=\"rowgroup\"><tr role=\"row\">{}</tr></thead>\n<tbody role=\"rowgroup\">\n{}</tbody></table></div>\n"
      "<p class=\"more\"><a href=\"#{}\">The figure</a></p></details>\n",
      all ? "" : " open", all ? "good" : "bad", all ? "✓" : "✗", held, figure.verdicts.size(),
      escape_html(figure.title), measured_on(figure), head, rows, link_to(figure));
}

std::string verdict_table(const Report& report) {
  std::string folds;
  for (const ReportFigure& figure : report.figures) folds += verdicts_of(figure);
  if (folds.empty()) return "";
  return fmt::format("<section id=\"verdicts\"><h2>Verdicts</h2>\n<div class=\"folds\">\n{}</div></section>\n", folds);
}

std::string contents(const Report& report) {
  if (report.figures.size() < 2) return "";
  std::string items;
  for (const ReportFigure& figure : report.figures)
    items += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", link_to(figure), escape_html(figure.title));
  return fmt::format("<nav aria-label=\"Figures\"><ul class=\"contents\">\n{}</ul></nav>\n", items);
}

using Colours = std::set<std::string>;

// The title is read out, and not shown in the picture.
SvgPicture drawn(Chart chart, const std::string& title, Colours& colours) {
  chart.title = title;
  SvgPicture picture = draw_svg(chart, SvgUse::kPage, false);
  colours.insert(picture.colours.begin(), picture.colours.end());
  return picture;
}

std::string panel(const ReportPanel& panel, Colours& colours) {
  const SvgPicture picture = drawn(panel.chart, panel.title, colours);
  return fmt::format(
      "<figure class=\"panel{}\"><div class=\"canvas\" style=\"--width: {}\" tabindex=\"0\">{}</div>\n"
      "<figcaption><strong>{}</strong>{}{}</figcaption></figure>\n",
      picture.width > kWidePicture ? " wide" : "", picture.width, picture.markup, escape_html(panel.title),
      panel.note.empty() ? "" : "<br>", escape_html(panel.note));
}

// The pictures that carry the story, before everything else.
std::string story(const Report& report, Colours& colours) {
  std::vector<std::pair<const ReportFigure*, const ReportHighlight*>> shown;
  for (const ReportFigure& figure : report.figures)
    for (const ReportHighlight& highlight : figure.highlights) shown.emplace_back(&figure, &highlight);
  if (shown.empty()) return "";
  std::stable_sort(shown.begin(), shown.end(),
                   [](const auto& a, const auto& b) { return a.second->order < b.second->order; });
  std::string cards;
  for (const auto& [figure, highlight] : shown) {
    const ReportPanel& chosen = figure->panels[highlight->panel];
    const SvgPicture picture = drawn(highlight->card.value_or(chosen.chart), chosen.title, colours);
    cards += fmt::format(
        "<figure class=\"panel\"><h3>{}</h3><div class=\"canvas\" style=\"--width: {}\" tabindex=\"0\">{}</div>\n"
        "<figcaption>{} <a href=\"#{}\">More</a></figcaption></figure>\n",
        escape_html(highlight->headline), picture.width, picture.markup, escape_html(chosen.title), link_to(*figure));
  }
  return fmt::format("<section id=\"story\" class=\"story\">\n{}</section>\n", cards);
}

std::string reading(const ReportFigure& figure) {
  std::string parts;
  for (const auto& [label, text] :
       {std::pair("Statement", &figure.statement), std::pair("What to see", &figure.caption)})
    if (!text->empty())
      parts += fmt::format("<div><span class=\"label\">{}</span><p>{}</p></div>\n", label, escape_html(*text));
  return parts.empty() ? "" : fmt::format("<div class=\"reading\">\n{}</div>\n", parts);
}

std::string verdict_item(const Verdict& verdict) {
  return fmt::format("<li class=\"{}\">{}<p>{}</p><p class=\"numbers\">Measured: {} · Threshold: {}{}{}</p></li>\n",
                     verdict.holds ? "good" : "bad", state(verdict.holds), escape_html(verdict.statement),
                     escape_html(verdict.measured), escape_html(verdict.threshold), verdict.place.empty() ? "" : " · ",
                     escape_html(verdict.place));
}

bool is_number(const std::string& cell) {
  return cell.empty() || (cell.find_first_of("0123456789") != std::string::npos &&
                          cell.find_first_not_of("0123456789+-−.,e±() [];") == std::string::npos);
}

std::string table(const ReportTable& table) {
  constexpr size_t kLong = 80;  // characters, beyond which a cell is broken into lines
  std::vector<const char*> kind(table.columns.size(), " class=\"number\"");
  for (const auto& row : table.rows)
    for (size_t c = 0; c < row.size(); ++c)
      if (!is_number(row[c])) kind[c] = "";
  for (const auto& row : table.rows)
    for (size_t c = 0; c < row.size(); ++c)
      if (row[c].size() > kLong) kind[c] = " class=\"prose\"";
  std::string head, body;
  for (size_t c = 0; c < table.columns.size(); ++c)
    head += fmt::format("<th scope=\"col\"{}>{}</th>", kind[c], escape_html(table.columns[c]));
  for (const auto& row : table.rows) {
    body += "<tr>";
    for (size_t c = 0; c < row.size(); ++c) body += fmt::format("<td{}>{}</td>", kind[c], escape_html(row[c]));
    body += "</tr>\n";
  }
  const std::string sheet = fmt::format(
      "<div class=\"sheet\" tabindex=\"0\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>", head,
      body);
  const std::string title = escape_html(table.title);
  if (table.rows.size() <= kLongTable) return fmt::format("<h4>{}</h4>\n{}\n", title, sheet);
  return fmt::format("<details><summary>{} ({} rows)</summary>\n{}</details>\n", title, table.rows.size(), sheet);
}

std::string settings_list(const Settings& settings) {
  std::string list;
  for (const auto& [name, value] : settings)
    list += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_html(name), escape_html(value));
  return fmt::format("<dl>\n{}</dl>\n", list);
}

std::string duration(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  return fmt::format("{:.1f} min", seconds / 60);
}

std::string folded_settings(const ReportFigure& figure) {
  Settings settings = figure.settings;
  if (figure.seconds > 0) settings.emplace_back("time", duration(figure.seconds));
  if (settings.empty()) return "";
  return fmt::format("<details><summary>Settings{}</summary>\n{}</details>\n",
                     figure.seconds > 0 ? " · " + duration(figure.seconds) : "", settings_list(settings));
}

std::string figure_section(const ReportFigure& figure, Colours& colours) {
  std::string panels, verdicts, tables;
  for (const ReportPanel& one : figure.panels) panels += panel(one, colours);
  for (const Verdict& verdict : figure.verdicts) verdicts += verdict_item(verdict);
  for (const ReportTable& entry : figure.tables) tables += table(entry);
  if (!panels.empty()) panels = fmt::format("<div class=\"panels\">\n{}</div>\n", panels);
  if (!verdicts.empty()) verdicts = fmt::format("<ul class=\"verdicts\">\n{}</ul>\n", verdicts);
  return fmt::format("<section class=\"figure\" id=\"{}\"><h3>{}</h3>\n{}{}{}{}{}</section>\n", link_to(figure),
                     escape_html(figure.title), reading(figure) + measured_on(figure), panels, verdicts, tables,
                     folded_settings(figure));
}

std::string figures(const Report& report, Colours& colours) {
  if (report.figures.empty()) return "";
  std::string sections;
  for (const ReportFigure& figure : report.figures) sections += figure_section(figure, colours);
  return "<h2 id=\"figures\">Figures</h2>\n" + contents(report) + sections;
}

std::string facts(const Report& report) {
  Settings facts = report.facts;
  for (const std::string& sentence : report.left_out) facts.emplace_back("Left out", sentence);
  return facts.empty() ? "" : fmt::format("<div class=\"facts\">{}</div>\n", settings_list(facts));
}

std::string run_settings(const Report& report) {
  if (report.settings.empty()) return "";
  return "<section id=\"settings\"><h2>How it was made</h2>\n" + settings_list(report.settings) + "</section>\n";
}

}  // namespace

std::string report_html(const Report& report) {
  Colours colours;
  const std::string first = story(report, colours), sections = figures(report, colours);
  return page_head(report.title, page_chart_style(colours)) +
         fmt::format(
             "<body>\n<header class=\"masthead\"><p class=\"label\">wordsway · report</p><h1>{}</h1>\n"
             "<p class=\"subtitle\">{}</p>\n{}{}</header>\n<main>\n",
             escape_html(report.title), escape_html(report.subtitle), facts(report), outcome(report)) +
         first + verdict_table(report) + sections + kAboutWordSensitivity + run_settings(report) +
         "</main>\n<footer>One file, nothing fetched from outside. Made by wordsway.</footer>\n</body>\n</html>\n";
}

}  // namespace wordsway
