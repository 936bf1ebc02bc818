"""A server of our own and a real browser that looks at its page."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WORDSWAY_PROGRAM", str(ROOT / "build/release/bin/wordsway"))
SHOTS = ROOT / "build/page-shots"
PATIENCE = 180.0  # seconds; machines that run tests are busy


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Server:
    """`wordsway serve` on a port; it can be killed and started again there."""

    def __init__(self, *arguments, port=None):
        self.port = port or free_port()
        self.arguments = arguments
        self.process = None
        self.start()

    def start(self):
        command = [PROGRAM, "serve", "--no-open", "--quiet", "--port", str(self.port), *self.arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith(f"http://127.0.0.1:{self.port}/#"), self.address
        self.home, self.key = self.address.split("#")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def new_driver(width=1440, height=900, dark=False):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
                     "--force-color-profile=srgb", "--no-first-run", "--disable-background-networking",
                     "--disable-component-update", f"--window-size={width},{height}"):  # fmt: skip
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(PATIENCE)
    look_as(driver, width, height, dark)
    return driver


def look_as(driver, width, height, dark):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})  # fmt: skip
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})


class Page:
    """What a person sees and does."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, address):
        self.driver.get("about:blank")
        self.driver.get(address)

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def text(self, css):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def js(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def until(self, what, describe=""):
        """Waits until `what` is true, a function or a JavaScript expression, and returns it."""
        end = time.monotonic() + PATIENCE
        while True:
            found = what() if callable(what) else self.js(f"return {what}")
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain for {describe or what}; the page says: {self.js('return document.body.innerText')[:1500]}")
            time.sleep(0.05)

    def view(self, name):
        self.find(f"#tab-{name}").click()
        self.until(f"document.querySelector('#panel').getAttribute('aria-labelledby') === 'tab-{name}' && document.querySelector('#panel .view')", name)

    def write(self, text, css="#text"):
        """Puts a text into a field at once, as pasting does."""
        self.js("""const field = document.querySelector(arguments[0]); field.focus(); field.value = arguments[1];
                   field.dispatchEvent(new Event("input", {bubbles: true}))""", css, text)

    def quiet(self):
        """Waits until nothing is being computed."""
        self.until("!document.querySelector('#status.busy')", "quiet")
        time.sleep(0.3)
        self.until("!document.querySelector('#status.busy')", "quiet")

    def coloured(self):
        """Waits until every word has been measured."""
        self.until("""document.querySelectorAll('.words-view .words span').length > 0 &&
                      !document.querySelector('.words-view .words .waits') && !document.querySelector('#status.busy')""", "coloured words")

    def console(self):
        return [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Every address that the browser asked for since the last call."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found

    def shot(self, name):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))
