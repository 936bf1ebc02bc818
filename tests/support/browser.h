// Pages as a real browser shows them: Chromium without a window, measured by a script that only a copy of the page has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wordsway::test {

/// The browser: $WORDSWAY_CHROMIUM, else the first of chromium, chromium-browser, google-chrome on the PATH; empty when
/// there is none.
std::string find_chromium();

struct Viewport {
  int width = 1280, height = 900;
  bool dark = false;
};

struct Picture {
  std::string title;
  double width = 0, height = 0;          // of its box on the page
  double ink_width = 0, ink_height = 0;  // of what is drawn in it, in its own units
};

/// Observations of a page.
struct PageVisit {
  int width = 0;                          // of the window, as the page sees it
  bool dark = false;                      // as the page sees it
  double document_width = 0;              // wider than the window: one has to scroll sideways
  std::vector<std::string> sticking_out;  // elements that reach over the window's edge, outside of scrolling boxes
  std::vector<Picture> pictures;          // every <svg>
  std::vector<std::string> fetched;       // addresses the page asked for beside itself
  std::vector<std::string> broken_links;  // references to ids that are not there, and ids that are there twice
  std::vector<std::string> faint_texts;   // with a contrast below 4.5 (HTML) or 3 (charts) to what is behind them
  std::vector<std::string> console;       // everything the browser had to say about the page
};

/// Opens the page, with no network to be reached. Throws std::runtime_error when the browser fails or says nothing.
PageVisit visit(const std::filesystem::path& page, const Viewport& viewport);

}  // namespace wordsway::test
