// wordsway reproduce: the paper's figures, computed, judged, and put on one page.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands/commands.h"
#include "options/chart.h"
#include "options/common.h"
#include "output/estimate_text.h"
#include "output/progress_bar.h"
#include "output/run_settings.h"
#include "output/verdict_text.h"
#include "shell/builtin_models.h"
#include "shell/figure_input.h"
#include "shell/program_command.h"
#include "shell/shell_context.h"
#include "system/check_failed.h"
#include "system/process.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/figures/print_page.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/output_paths.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

namespace fs = std::filesystem;

// How long to run tasks to learn how much time a figure takes relative to the others.
constexpr double kPilotSeconds = 0.15, kDryRunPilotSeconds = 0.5;

struct ReproduceRequest {
  std::vector<std::string> figures;
  FigureInput data;
  std::string out = "out", pdf, bands = "deviation";
  bool dry_run = false;

  static void describe(Fields<ReproduceRequest>& fields);
};

// The figures to make, and sentences about those left out.
struct Chosen {
  std::vector<std::string> figures, left_out;
};

struct Job {
  std::string name;
  FigureStudy figure;
  double seconds = 1;  // expected
};

// The figures of the paper as users may name them: "fig3" and "3" mean all that belong to Figure 3.
constexpr int kPaperFigures = 5;

std::vector<std::string> paper_figures() {
  std::vector<std::string> names;
  for (int number = 1; number <= kPaperFigures; ++number) names.push_back(fmt::format("fig{}", number));
  return names;
}

// The figure of the paper that a name means, or nothing.
std::optional<int> paper_figure(const std::string& name) {
  for (int number = 1; number <= kPaperFigures; ++number)
    if (name == fmt::format("fig{}", number) || name == std::to_string(number)) return number;
  return std::nullopt;
}

// Names of figures and of figures of the paper: the accepted ones, which shells complete.
std::vector<std::string> names_to_choose_from() {
  std::vector<std::string> names = figure_names();
  for (std::string& name : paper_figures()) names.push_back(std::move(name));
  return names;
}

// In the order of the report, each once, in whatever order they were named.
std::vector<std::string> chosen_figures(const std::vector<std::string>& requested) {
  std::vector<std::string> names = figure_names();
  std::set<std::string> wanted;
  for (const std::string& name : requested) {
    const std::optional<int> number = paper_figure(name);
    if (!number && !figure_registry().contains(name))
      throw UsageError(unknown_name("figure", name, names_to_choose_from()));
    if (!number) wanted.insert(name);
    for (const std::string& figure : names)
      if (number && figure_registry().get(figure).order / 10 == *number) wanted.insert(figure);
  }
  if (!wanted.empty()) std::erase_if(names, [&](const std::string& name) { return !wanted.contains(name); });
  return names;
}

// Leaves out figures that lack something. A figure that was requested by name fails with the error that follows.
Chosen possible_figures(const std::vector<std::string>& requested, const FigureSetting& setting) {
  Chosen chosen;
  for (const std::string& name : chosen_figures(requested)) {
    const bool by_name = std::ranges::find(requested, name) != requested.end();
    std::string why = why_left_out(name, setting);
    if (by_name || why.empty())
      chosen.figures.push_back(name);
    else
      chosen.left_out.push_back(std::move(why));
  }
  return chosen;
}

std::vector<Job> make_jobs(const std::vector<std::string>& figures, const FigureSetting& setting) {
  std::vector<Job> jobs;
  jobs.reserve(figures.size());
  for (const std::string& name : figures) jobs.push_back({name, figure_registry().get(name).study(setting)});
  return jobs;
}

void print_estimates(const std::vector<Job>& jobs, const CommonOptions& common) {
  std::vector<Record> rows;
  double seconds = 0, memory = 0;
  std::int64_t points = 0, trials = 0;
  for (const Job& job : jobs) {
    const Estimate estimate = estimate_cost(*job.figure.study, {}, kDryRunPilotSeconds);
    rows.push_back({{"figure", job.name},
                    {"points", static_cast<std::int64_t>(estimate.points)},
                    {"trials", static_cast<std::int64_t>(estimate.tasks)},
                    {"expected_seconds", estimate.seconds},
                    {"expected_memory_bytes", static_cast<std::int64_t>(estimate.memory_bytes + held_memory())}});
    points += estimate.points;
    trials += estimate.tasks;
    seconds += estimate.seconds;
    memory = std::max(memory, rows.back().number("expected_memory_bytes"));
  }
  rows.push_back({{"figure", "all"},
                  {"points", points},
                  {"trials", trials},
                  {"expected_seconds", seconds},
                  {"expected_memory_bytes", static_cast<std::int64_t>(memory)}});
  print_out(format_rows(rows, common.format));
  say(common, fmt::format("expected time    {}, charts aside", format_duration(seconds)));
}

fs::path journal_of(const Job& job, const ReproduceRequest& options) {
  return fs::path(options.out) / (job.name + ".jsonl");
}

// Returns nothing in all processes but the first.
std::optional<ReportFigure> reproduce_figure(const Job& job, const ReproduceRequest& options, ShellContext& context,
                                             Progress progress) {
  RunChoice run;
  run.out = journal_of(job, options).string();
  const Study& study = *job.figure.study;
  const auto result = context.run(study, run, {}, std::move(progress));
  if (!result) return std::nullopt;
  std::vector<Record> good = result->rows;
  std::erase_if(good, is_failed);
  const fs::path folder = fs::path(options.out) / "figures";
  ReportFigure figure = draw_figure(job.name, good, folder, parse_bands(options.bands));
  write_file_atomically(folder / (job.name + ".csv"), to_csv(result->rows));
  figure.settings = settings_of(study);
  if (!job.figure.note.empty()) figure.settings.insert(figure.settings.begin(), {"note", job.figure.note});
  figure.settings.emplace_back("journal", job.name + ".jsonl");
  figure.seconds = seconds_of(study, *result);
  return figure;
}

// What was measured on what, for readers who have only the page.
std::vector<std::pair<std::string, std::string>> facts_of(const FigureSetting& setting, const FigureInput& options) {
  const Transformer& model = *setting.transformer;
  const bool own_model = options.model.is_builtin(), own_texts = options.texts.input.empty();
  return {
      {"Maps", "random features and random attention with the weights that theorems are about, nothing trained"},
      {"Texts",
       fmt::format("{}, as vectors of the embedding of {} (d = {}); some figures take made-up words, as they say",
                   own_texts ? "film reviews that wordsway makes up by rules" : setting.texts->name(),
                   own_model ? "a small BERT that we trained on film reviews" : model.name(),
                   model.config().hidden_size)},
      {"Trained models", fmt::format("{} ({} layers), and a small Llama of ours that answers questions about films",
                                     own_model ? "that BERT" : model.name(), model.config().layers)},
      {"Sizes", fmt::format("profile {}: n, d and trials of every figure are under its settings", options.profile)}};
}

void write_report(std::vector<ReportFigure> figures, const ReproduceRequest& options, const FigureSetting& setting,
                  const std::vector<std::string>& left_out, double seconds) {
  Report report;
  report.title = "How far can one word sway a representation?";
  report.subtitle =
      "The study of Bombari & Mondelli, “Towards Understanding the Word Sensitivity of Attention Layers” (ICML 2024), "
      "computed by wordsway.";
  report.facts = facts_of(setting, options.data);
  report.left_out = left_out;
  report.figures = std::move(figures);
  report.settings = {
      {"profile", options.data.profile},
      {"model", fmt::format("{}, {} layers, d = {}", setting.transformer->name(), setting.transformer->config().layers,
                            setting.transformer->config().hidden_size)},
      {"corpus", setting.texts->name()},
      {"seed", std::to_string(setting.seed)}};
  if (!setting.device.is_cpu())
    report.settings.emplace_back("device",
                                 fmt::format("{} ({}), maps in double, models in {}", to_string(setting.device.kind),
                                             cuda_device_name(), to_string(setting.device.precision)));
  for (auto& entry : settings_of_machine()) report.settings.push_back(std::move(entry));
  report.settings.emplace_back("time of this run", format_duration(seconds));
  write_file_atomically(fs::path(options.out) / "report.html", report_html(report));
}

RunProgress whole_run(std::vector<Job>& jobs, const ReproduceRequest& options, const CommonOptions& common) {
  std::vector<RunPart> parts;
  for (Job& job : jobs) {
    if (is_first_process() && !common.quiet && options.data.profile != "quick")
      job.seconds = estimate_cost(*job.figure.study, {}, kPilotSeconds).seconds;
    parts.push_back({job.name, job.seconds});
  }
  return {common.quiet, std::move(parts)};
}

void reproduce(const ReproduceRequest& options, const CommonOptions& common) {
  const Stopwatch watch;
  chosen_figures(options.figures);
  if (is_first_process()) check_output_folder(options.out);
  ShellContext context({common});
  const FigureSetting setting = make_figure_setting(options.data, context);
  const Chosen chosen = possible_figures(options.figures, setting);
  for (const std::string& sentence : chosen.left_out) context.warn(sentence);
  std::vector<Job> jobs = make_jobs(chosen.figures, setting);
  if (options.dry_run) return is_first_process() ? print_estimates(jobs, common) : void();
  make_folder(fs::path(options.out) / "figures");
  // Do not compute any figure if another one's journal will be refused.
  if (is_first_process())
    for (const Job& job : jobs) check_journal(journal_of(job, options), identity_of(*job.figure.study));
  const RunProgress progress = whole_run(jobs, options, common);
  std::vector<ReportFigure> figures;
  for (size_t k = 0; k < jobs.size(); ++k)
    if (auto figure = reproduce_figure(jobs[k], options, context, progress.part(k)))
      figures.push_back(*std::move(figure));
  if (!is_first_process()) return;
  const std::string failures = describe_failed_figures(figures);
  print_out(format_verdicts(figures, common.format));
  write_report(std::move(figures), options, setting, chosen.left_out, watch.seconds());
  context.warn(fmt::format("-> {}", (fs::path(options.out) / "report.html").string()));
  if (!options.pdf.empty()) print_page(fs::path(options.out) / "report.html", options.pdf);
  if (!failures.empty()) throw CheckFailed(failures);
}

void ReproduceRequest::describe(Fields<ReproduceRequest>& fields) {
  fields
      .texts(
          "figures", &ReproduceRequest::figures,
          "Which figures: names as in 'wordsway list figures', or fig1 to fig5, also 1 to 5, for all that belong to a "
          "figure of the paper (default: all)")
      .argument("FIGURE")
      .choices(names_to_choose_from(), false);
  fields.include(&ReproduceRequest::data);
  fields
      .text("out", &ReproduceRequest::out,
            "Folder to write to: report.html, figures, and journals from which the same command goes on after an "
            "interruption")
      .short_flag("o");
  fields.path("pdf", &ReproduceRequest::pdf, FieldKind::kOutput,
              "Print the report as a PDF, too, with Chromium (without it: no PDF)");
  describe_bands(fields, &ReproduceRequest::bands);
  fields.flag("dry_run", &ReproduceRequest::dry_run,
              "Compute nothing: only say how many points and trials, and the expected time and memory");
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  Guide guide;
  guide.summary = "Compute the paper's figures on this machine, and check what the paper says";
  guide.examples =
      "  wordsway reproduce -o out\n"
      "  wordsway reproduce fig3 --profile quick -o fig3\n"
      "  wordsway reproduce --profile full -m MODEL -i aclImdb -o full\n"
      "  wordsway reproduce --profile full -m MODEL -i aclImdb --device cuda -o full-gpu\n"
      "      on an NVIDIA GPU, in a build that has it; operations the GPU does not support run on the CPU";
  add_program_command<ReproduceRequest>(app, "reproduce", guide, reproduce);
}

}  // namespace wordsway::app
