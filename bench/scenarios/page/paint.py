"""How long the page of `wordsway serve` takes, as the browser measures it: paint.py [RUNS]

Needs Selenium and Chromium; `make page` makes an environment that has them:
    build/page/bin/python bench/scenarios/page/paint.py
Promised: first paint 0.3 s; first colours of a 12-word sentence 0.5 s; the Paper view redrawn in 0.3 s for n up to
250, d up to 256."""

import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tests/page"))
from browser import Page, Server, new_driver  # noqa: E402

WAIT = """const done = arguments[arguments.length - 1], since = performance.now();
const look = () => (%s) ? done(performance.now() - since) : requestAnimationFrame(look);
%s; look()"""

# The slider d goes to 256; curves of another d are pale.
CURVES = """const done = arguments[arguments.length - 1], since = performance.now(), here = document.querySelector('.here');
const before = here.textContent, d = document.querySelector('#panel input[type=range]');
d.value = 4; d.dispatchEvent(new Event('input'));
let first = 0;
const look = () => {
  if (!first && here.textContent !== before) first = performance.now() - since;
  if (first && !document.querySelector('#panel figure svg [stroke-opacity="0.35"]')) done([first, performance.now() - since]);
  else requestAnimationFrame(look);
};
look()"""


def wait(driver, condition, act):
    return driver.execute_async_script(WAIT % (condition, act)) / 1000


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    server, driver = Server(), new_driver()
    page, found = Page(driver), {}
    try:
        page.open(server.address)
        page.coloured()
        for run in range(runs):
            page.open(server.home)
            paint = page.until("performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
            found.setdefault("first paint", []).append(paint / 1000)
            page.coloured()
            text = f"The story number {run} was not as good as all the others were."
            act = f"""const text = document.querySelector('#text'); text.value = {text!r}; text.dispatchEvent(new Event('input'))"""
            coloured = f"""document.querySelector('.words-view .words')?.textContent === {text!r} &&
                [...document.querySelectorAll('.words-view .words span')].some(word => word.style.background && !word.matches('.waits'))"""
            found.setdefault("first colours after typing 12 words", []).append(wait(driver, coloured, act))
            page.coloured()
            page.view("paper")
            page.quiet()
            time.sleep(0.5)
            first, all_three = driver.execute_async_script(CURVES)
            found.setdefault("softmax curve after the slider d moved", []).append(first / 1000)
            found.setdefault("all three curves (d = 256, n up to 250)", []).append(all_three / 1000)
            page.quiet()
    finally:
        driver.quit()
        server.kill()
    for name, values in found.items():
        print(f"{name:42} median {statistics.median(values):.3f} s   all {' '.join(f'{value:.3f}' for value in values)}")


if __name__ == "__main__":
    main()
