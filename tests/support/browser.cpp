#include "support/browser.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "support/bytes.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;

// Tells the page around it what it sees, percent-encoded so that nothing of it is markup.
constexpr const char* kMeasure = R"js(<script>
addEventListener('load', () => {
  const all = selector => [...document.querySelectorAll(selector)];
  const name = e => `${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''} "${e.textContent.trim().slice(0, 40)}"`;
  const rgba = text => { const p = text.match(/[\d.]+/g).map(Number), unit = text.startsWith('color(') ? 255 : 1;
    return [...p.slice(0, 3).map(v => v * unit), p.length > 3 ? p[3] : 1]; };
  const light = c => c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const behind = e => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] > 0) return c; }
    return [255, 255, 255, 1]; };
  const scrolls = e => e.closest('.canvas, .sheet, .formula');
  const shown = e => e.checkVisibility();
  const has_text = e => [...e.childNodes].some(c => c.nodeType == 3 && c.textContent.trim());
  const faint = e => {
    const chart = e.closest('svg'), style = getComputedStyle(e), ink = chart ? style.fill : style.color;
    return ink != 'none' && contrast(rgba(ink), behind(e)) < (chart ? 3 : 4.5);
  };
  const ids = all('[id]').map(e => e.id), found = id => document.getElementById(id) !== null;
  const links = all('[href^="#"]').map(e => e.getAttribute('href').slice(1))
    .concat(all('use').map(e => (e.getAttribute('href') ?? e.getAttribute('xlink:href')).slice(1)))
    .concat(all('[aria-labelledby]').map(e => e.getAttribute('aria-labelledby')));
  const seen = {
    width: innerWidth, dark: matchMedia('(prefers-color-scheme: dark)').matches,
    document_width: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
    sticking_out: all('body *').filter(e => shown(e) && !scrolls(e) && e.getBoundingClientRect().right > innerWidth + 0.5).map(name),
    pictures: all('svg').map(e => { const box = e.getBoundingClientRect(), ink = e.getBBox();
      return {title: e.querySelector('title')?.textContent ?? '', visible: shown(e), box: [box.width, box.height], ink: [ink.width, ink.height]}; }),
    fetched: performance.getEntriesByType('resource').map(r => r.name).filter(n => !n.startsWith('data:')),
    broken_links: links.filter(id => !found(id)).concat(ids.filter((id, k) => ids.indexOf(id) != k)),
    faint_texts: all('body *').filter(e => e.tagName != 'SCRIPT' && e.tagName != 'title' && shown(e) && has_text(e) && faint(e)).map(name),
  };
  parent.postMessage(encodeURIComponent(JSON.stringify(seen)), '*');
});
</script>)js";

// Windows are never narrower than 500 pixels; frames are.
constexpr const char* kFrame = R"html(<!DOCTYPE html><meta name="color-scheme" content="light dark">
<body style="margin: 0"><script>
addEventListener('message', event => {{
  const out = document.createElement('pre');
  out.textContent = 'seen:' + event.data + ':seen';
  document.body.append(out);
}});
</script><iframe src="page.html" style="width: {}px; height: {}px; border: 0"></iframe></body>)html";

std::string with_script(std::string page) {
  // The page's policy forbids scripts; the copy may have this one.
  const std::string policy = "default-src 'none';";
  const size_t at = page.find(policy);
  if (at != std::string::npos) page.insert(at + policy.size(), " script-src 'unsafe-inline';");
  return page + kMeasure;
}

std::string percent_decoded(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      result += text[at];
      continue;
    }
    result += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
    at += 2;
  }
  return result;
}

std::vector<std::string> command(const std::string& page, const std::string& profile, const Viewport& viewport) {
  std::vector<std::string> arguments = {"timeout",
                                        "-s",
                                        "KILL",
                                        "120",
                                        find_chromium(),
                                        "--headless=new",
                                        "--disable-gpu",
                                        "--hide-scrollbars",
                                        "--no-first-run",
                                        "--disable-background-networking",
                                        "--disable-component-update",
                                        "--disable-sync",
                                        "--disable-extensions",
                                        "--disable-breakpad",
                                        "--host-resolver-rules=MAP * ~NOTFOUND",
                                        "--user-data-dir=" + profile,
                                        "--enable-logging=stderr",
                                        "--v=0",
                                        fmt::format("--window-size={},{}", viewport.width + 100, viewport.height + 100),
                                        fmt::format("--blink-settings=preferredColorScheme={}", viewport.dark ? 0 : 1),
                                        "--virtual-time-budget=5000",
                                        "--dump-dom",
                                        "file://" + page};
  if (geteuid() == 0) arguments.insert(arguments.begin() + 5, "--no-sandbox");
  return arguments;
}

std::vector<std::string> console_lines(const std::string& log) {
  std::vector<std::string> lines;
  std::istringstream stream(log);
  for (std::string line; std::getline(stream, line);)
    if (line.find(":CONSOLE") != std::string::npos) lines.push_back(line);
  return lines;
}

PageVisit parse(const nlohmann::json& seen) {
  PageVisit result;
  result.width = seen.at("width");
  result.dark = seen.at("dark");
  result.document_width = seen.at("document_width");
  result.sticking_out = seen.at("sticking_out").get<std::vector<std::string>>();
  result.fetched = seen.at("fetched").get<std::vector<std::string>>();
  result.broken_links = seen.at("broken_links").get<std::vector<std::string>>();
  result.faint_texts = seen.at("faint_texts").get<std::vector<std::string>>();
  for (const auto& entry : seen.at("pictures")) {
    Picture picture{entry.at("title"), 0, 0, entry.at("ink").at(0), entry.at("ink").at(1)};
    if (entry.at("visible").get<bool>()) {
      picture.width = entry.at("box").at(0);
      picture.height = entry.at("box").at(1);
    }
    result.pictures.push_back(picture);
  }
  return result;
}

}  // namespace

std::string find_chromium() {
  if (const char* named = std::getenv("WORDSWAY_CHROMIUM")) return named;
  const char* path = std::getenv("PATH");
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const fs::path candidate = fs::path(folder) / name;
      if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
    }
  }
  return "";
}

PageVisit visit(const fs::path& page, const Viewport& viewport) {
  const TemporaryFolder folder;
  const fs::path frame = folder.path("frame.html");
  write_bytes(folder.path("page.html"), with_script(read_bytes(page)));
  write_bytes(frame, fmt::format(kFrame, viewport.width, viewport.height));
  const ProgramResult result = RunningProgram(command(frame.string(), folder.path("profile").string(), viewport),
                                              {{"HOME", folder.folder().string()}})
                                   .finish();
  const std::string begin = "seen:", end = ":seen";
  const size_t first = result.out.rfind("<pre>" + begin), last = result.out.rfind(end);
  if (result.exit_code != 0 || first == std::string::npos || last == std::string::npos || last < first)
    throw std::runtime_error(fmt::format("{} ended with {} and said nothing about the page: {}", find_chromium(),
                                         result.exit_code, result.err));
  const size_t start = first + 5 + begin.size();
  PageVisit seen = parse(nlohmann::json::parse(percent_decoded(result.out.substr(start, last - start))));
  seen.console = console_lines(result.err);
  return seen;
}

}  // namespace wordsway::test
