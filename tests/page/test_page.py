"""The page of `wordsway serve` in a real browser: every view, and what people do to it."""

import csv
import json
import re
import statistics
import subprocess
import time
import urllib.parse
import xml.dom.minidom

import pytest
from browser import PROGRAM, ROOT, Page, Server, free_port, look_as
from conftest import fresh
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

VIEWS = ["words", "attention", "layers", "pairs", "answers", "paper"]
FILES = sorted((ROOT / "app/page").iterdir())


def keys(page, *pressed):
    chain = ActionChains(page.driver)
    for key in pressed:
        chain.send_keys(key)
    chain.perform()


def with_control(page, key, shift=False):
    chain = ActionChains(page.driver).key_down(Keys.CONTROL)
    if shift:
        chain.key_down(Keys.SHIFT)
    chain.send_keys(key)
    if shift:
        chain.key_up(Keys.SHIFT)
    chain.key_up(Keys.CONTROL).perform()


def shown_words(page):
    return page.js("return [...document.querySelectorAll('#panel .words span')].map((span) => span.textContent)")


def chosen(page):
    return page.js("return [...document.querySelectorAll('#panel .words .chosen')].map((span) => span.textContent)")


def word(page, text):
    return next(span for span in page.all("#panel .words span") if span.text == text)


def state(page):
    return dict(urllib.parse.parse_qsl(page.js("return location.hash").lstrip("#"), keep_blank_values=True))


def curves(page):
    """The names at the ends of lines."""
    return page.js("return [...document.querySelectorAll('#panel figure svg text[font-weight=\"600\"]')].map((text) => text.textContent)")


# The files.


def test_the_page_is_small_and_fetches_nothing():
    assert sum(len(file.read_bytes()) for file in FILES) <= 100 * 1024
    for file in FILES:
        text = file.read_text()
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "https://"):
            assert forbidden not in text, (file.name, forbidden)
        for address in re.findall(r"http://[^\s\"']+", text):
            assert address.startswith("http://www.w3.org/"), (file.name, address)


# First start.


def test_the_first_screen_explains_itself(page):
    page.coloured()
    assert page.find("#text").get_attribute("value") == "The film was not good, but the ending made me cry."
    assert shown_words(page) == "The film was not good , but the ending made me cry .".split()
    colours = page.js("return [...document.querySelectorAll('.words span')].map((span) => span.style.background)")
    assert len(colours) == 13 and not any(colours[k] for k in (5, 12)), "nothing is like a comma"
    assert all(colours[k] for k in range(12) if k != 5) and len(set(colours)) > 5
    assert page.text(".explains").startswith("The stronger the colour, the more the model’s output changes")
    assert [tab.text for tab in page.all("[role=tab]")] == ["Words", "Attention", "Layers", "Pairs", "Answers", "Paper"]
    assert len(page.all("#examples option")) > 3
    page.until(lambda: len(page.all(".replacements button")) >= 3, "replacements")
    assert chosen(page), "the word that matters most is looked at before anybody chooses"


def test_the_key_is_not_kept_in_the_address(page, server):
    page.coloured()
    assert server.key not in page.driver.current_url
    page.driver.refresh()
    page.coloured()


def test_an_example_can_be_chosen(page):
    page.js("""const menu = document.querySelector('#examples'); menu.value = menu.options[2].value;
               menu.dispatchEvent(new Event('change'))""")
    page.until("document.querySelector('#text').value.startsWith('turn off')")
    page.coloured()
    assert "dark" in shown_words(page)


# Views.


def test_words_by_every_measure(page):
    page.coloured()
    seen = set()
    for name in ("Typical", "Worst word", "Left out"):
        next(b for b in page.all(".words-view .choice button") if b.text == name).click()
        page.coloured()
        seen.add(page.js("return [...document.querySelectorAll('.words span')].map((span) => span.title).join('|')"))
    assert len(seen) == 3
    page.write("not good")
    page.coloured()
    next(b for b in page.all(".words-view .choice button") if b.text == "Worst move").click()
    page.until("/worst move \\d/.test(document.querySelector('.words span')?.title)", "the worst move")
    assert "paper’s measure" in page.text(".explains")


def test_a_word_is_replaced_and_every_view_follows(page):
    page.coloured()
    word(page, "good").click()
    page.until("document.querySelector('.inspector h3').textContent.includes('good')")
    page.until(lambda: page.all(".replacements button"), "replacements")
    page.quiet()
    button = page.all(".replacements button")[1]
    by = button.get_attribute("value")
    button.click()
    page.until("/moves the model’s last layer by/.test(document.querySelector('.changed').textContent)", "a comparison")
    marks = page.js("return [...document.querySelectorAll('.changed mark')].map((mark) => mark.textContent)")
    assert marks == ["good", by]
    assert page.find(f".replacements button[value='{by}']").get_attribute("aria-pressed") == "true"
    page.view("layers")
    page.until(lambda: "changed" in curves(page), "the curve of the replacement")
    assert set(curves(page)) >= {"ascent", "attract", "noise", "changed"}
    page.view("attention")
    next(b for b in page.all("#panel .choice button") if b.text == "Replaced").click()
    page.until(lambda: "after it is replaced" in curves(page), "the attention of the changed text")
    page.view("words")
    page.js("document.querySelector('.changed button').click()")
    page.until(lambda: by in page.find("#text").get_attribute("value"))
    with_control(page, "z")
    page.until("document.querySelector('#text').value.includes('good')")
    with_control(page, "z", shift=True)
    page.until(lambda: by in page.find("#text").get_attribute("value"), "the change again")


def test_a_word_of_ones_own(page):
    page.coloured()
    word(page, "good").click()
    page.quiet()
    page.find(".own input").send_keys("terrible", Keys.ENTER)
    page.until("document.querySelector('.changed .verdict').textContent.includes('moves')")
    assert state(page)["to"] == "The film was not terrible, but the ending made me cry."


def test_a_word_chosen_in_one_view_is_chosen_in_all(page):
    page.coloured()
    word(page, "ending").click()
    for view in ("attention", "layers"):
        page.view(view)
        page.until(lambda: chosen(page) == ["ending"], view)
    page.quiet()
    word(page, "film").click()
    page.until("document.querySelector('figure h3').textContent.includes('film')")
    page.view("attention")
    page.quiet()
    page.js("""[...document.querySelectorAll('#panel figure text.pick')].find((text) => text.textContent === 'cry')
               .dispatchEvent(new MouseEvent('click', {bubbles: true}))""")
    page.until(lambda: chosen(page) == ["cry"], "cry")
    page.view("words")
    page.until(lambda: chosen(page) == ["cry"])


def test_attention_in_all_its_forms(page):
    page.view("attention")
    page.until("document.querySelectorAll('#panel figure svg image').length >= 8", "heads before and after")
    assert curves(page)[:2] == ["before", "after it moves to attract attention"]
    cells = len(page.all("#panel figure svg rect"))
    page.find("input[type=checkbox]").click()
    page.until(lambda: "[CLS]" not in page.text("#panel figure"), "no special tokens")
    assert len(page.all("#panel figure svg rect")) < cells
    next(b for b in page.all("#panel .choice button") if b.text == "Lines").click()
    page.until("document.querySelectorAll('#panel figure svg path').length > 10")
    next(b for b in page.all("#panel .choice button") if b.text == "Noise").click()
    page.until(lambda: "after it moves in a random direction" in curves(page))
    page.js("const layer = document.querySelector('#panel select'); layer.value = '3'; layer.dispatchEvent(new Event('change'))")
    page.until("document.querySelector('figure h3').textContent.startsWith('Layer 3')")
    page.quiet()
    page.js("document.querySelectorAll('#panel figure g[role=button]')[1].dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    page.until("document.querySelector('figure h3').textContent === 'Layer 3, head 1'")
    next(b for b in page.all("#panel .choice button") if b.text == "Stays").click()
    page.until(lambda: curves(page) == ["before"])


def test_pairs_of_two_texts(page):
    page.view("pairs")
    page.until("/Their cosine is 0\\.\\d{3}/.test(document.querySelector('.verdict').textContent)", "a cosine")
    assert page.js("return [...document.querySelectorAll('.compared mark')].map((mark) => mark.textContent)") == ["enable", "disable"]
    assert "taken for the same" in page.text(".verdict")
    page.requests()
    page.js("const cut = document.querySelector('#panel input[type=range]'); cut.value = cut.max; cut.dispatchEvent(new Event('input'))")
    page.until("document.querySelector('.verdict').textContent.includes('kept apart')")
    assert page.requests() == [], "a threshold needs no server"
    page.write("Where is my order?", "#panel textarea")
    page.until("document.querySelector('.quote').textContent.startsWith('Where')")
    page.quiet()
    assert "Their cosine" in page.text(".verdict")


def test_pairs_of_the_builtin_set(page):
    page.view("pairs")
    next(b for b in page.all("#panel .choice button") if b.text == "The built-in set").click()
    page.until("/of the reversals merge/.test(document.querySelector('#panel').textContent)", "the built-in set")
    assert "2,400 pairs" in page.text("#panel")
    page.js("""[...document.querySelectorAll('#panel figure g[role=button]')].find((g) => g.textContent.startsWith('negation'))
               .dispatchEvent(new MouseEvent('click', {bubbles: true}))""")
    page.until("document.querySelector('#panel').textContent.includes('The pairs of “negation”')")
    assert len(page.all(".worst button")) == 8
    page.find(".worst button").click()
    page.until("/Their cosine is/.test(document.querySelector('.verdict').textContent)")


def test_pairs_of_a_dropped_file(page):
    page.view("pairs")
    page.js("""const data = new DataTransfer();
      data.items.add(new File(['anchor,changed,control,class\\nturn it on,turn it off,switch it on,mine\\nit is <b>up</b>,it is down,,"<img src=x>"\\n'], "my.csv"));
      document.querySelector('#panel .view').dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}))""")
    page.until("document.querySelector('#panel').textContent.includes('2 pairs')", "the pairs of the file")
    assert "mine" in page.text("#panel") and "<img src=x>" in page.text("#panel")
    assert page.all("#panel img") == []


def test_answers_stream_and_part(page):
    page.view("answers")
    page.until("/The answers part at token 0/.test(document.querySelector('.verdict').textContent)", "two answers")
    assert page.js("return [...document.querySelectorAll('.answer')].map((one) => one.textContent)") == [
        "Yes, because of the word admired.", "No, because of the word despised."]  # fmt: skip
    assert "admired" in page.text("#panel figure svg")
    page.write("The film was", "#panel textarea")
    page.until("document.querySelector('.verdict').textContent.includes('writing')")
    page.quiet()
    assert page.text(".answer")


def test_the_paper_redraws_as_sliders_move(page):
    page.view("paper")
    page.until("document.querySelectorAll('.here sup').length >= 3", "three curves")
    page.quiet()
    assert curves(page) and {"raf", "raf-relu", "rf", "1/√n"} == set(curves(page))
    exponent = {card.text.split("\n")[0]: card.find_element("css selector", "sup").text for card in page.all(".theorem")[:3]}
    value = {name: float(text.replace("−", "-")) for name, text in exponent.items()}
    assert value["softmax attention"] > -0.3 and value["random features"] < -0.45
    before = page.text(".theorem .here")
    page.js("const d = document.querySelector('#panel input[type=range]'); d.value = 1; d.dispatchEvent(new Event('input'))")
    page.until(lambda: page.text(".theorem .here") not in (before, ""), "another curve")
    page.quiet()
    assert state(page)["d"] == "32" and "d is small" in page.text("#panel")
    page.all(".theorem input")[1].click()
    page.until(lambda: "raf-relu" not in curves(page))


def test_the_curves_of_the_paper_are_those_of_measure(page, tmp_path):
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.view("paper")
    page.until("document.querySelectorAll('.here sup').length >= 3", "three curves")
    page.quiet()
    next(button for button in page.all("#panel .export button") if "CSV" in button.text.upper()).click()
    file = tmp_path / "word-sensitivity.csv"
    page.until(lambda: file.exists() and file.stat().st_size, file.name)
    shown = list(csv.DictReader(file.read_text().splitlines()))
    for name in ("raf", "raf-relu", "rf"):
        command = [PROGRAM, "measure", "--map", name, "--n", "10,20,40,80,160,250", "--d", "128", "--trials", "4", "--format", "json"]
        rows = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["rows"]
        for n in (10, 20, 40, 80, 160, 250):
            mean = statistics.mean(row["sensitivity"] for row in rows if row["n"] == n)
            assert float(next(row for row in shown if row["map"] == name and row["n"] == str(n))["sensitivity"]) == pytest.approx(mean, rel=1e-6)


def test_a_decoder_says_what_it_cannot_see(page):
    page.coloured()
    page.js("const model = document.querySelector('#model'); model.value = 'builtin-decoder'; model.dispatchEvent(new Event('change'))")
    page.coloured()
    assert "never what comes after" in page.text("#panel")
    for view in ("attention", "layers"):
        page.view(view)
        page.until("document.querySelector('#panel').textContent.includes('never what comes after')")
        page.quiet()
    page.view("attention")
    page.until("document.querySelectorAll('#panel figure svg image').length > 0", "heads")


# Habits.


def test_typing_while_it_computes(page):
    page.coloured()
    field = page.find("#text")
    field.clear()
    for part in ("I did not ", "like the first ", "half at all, ", "but I stayed."):
        field.send_keys(part)
        time.sleep(0.25)
    page.until(lambda: shown_words(page)[-2:] == ["stayed", "."], "the words of the whole text")
    page.coloured()
    assert shown_words(page) == "I did not like the first half at all , but I stayed .".split()
    bars = len(page.all("#panel figure svg g"))
    assert 8 <= bars <= 12, "every word but the marks, and those that no word is like"


def test_stopping_by_escape(page):
    page.coloured()
    page.write("a long text about nothing at all " * 30)
    page.until("document.querySelector('#status.busy')", "work")
    keys(page, Keys.ESCAPE)
    page.until("!document.querySelector('#status.busy')")
    page.write("short again")
    page.coloured()


def test_the_status_says_what_is_done_and_for_how_long(page):
    page.coloured()
    page.write("a long text about nothing at all " * 30)
    page.until("/Words.* · \\d/.test(document.querySelector('#status.busy')?.textContent)", "a status")
    assert page.find("#status").get_attribute("role") == "status"
    keys(page, Keys.ESCAPE)


def test_a_view_can_be_shared_and_reloaded(page, server):
    page.coloured()
    page.write("Nobody left before the end — “quite” & <so> on.")
    page.coloured()
    word(page, "left").click()
    page.view("layers")
    page.until(lambda: chosen(page) == ["left"])
    address = page.driver.current_url
    assert server.key not in address
    page.open(address)
    page.until(lambda: chosen(page) == ["left"], "the shared view")
    assert page.find("#text").get_attribute("value") == "Nobody left before the end — “quite” & <so> on."
    assert page.find("#tab-layers").get_attribute("aria-selected") == "true"


def test_undo_goes_back_step_by_step(page):
    page.coloured()
    assert not page.find("#undo").is_enabled()
    page.write("one")
    page.view("layers")
    page.view("paper")
    for view, text in (("layers", "one"), ("words", "one"), ("words", "The film was not good, but the ending made me cry.")):
        page.find("#undo").click()
        assert (page.find("[role=tab][aria-selected=true]").get_attribute("id"), page.find("#text").get_attribute("value")) == (f"tab-{view}", text)
    assert not page.find("#undo").is_enabled()


def test_the_keyboard_alone(page):
    page.coloured()
    page.js("document.activeElement.blur()")
    for number, view in enumerate(VIEWS, 1):
        keys(page, str(number))
        assert page.find("[role=tab][aria-selected=true]").get_attribute("id") == f"tab-{view}"
    keys(page, "1", "/")
    assert page.js("return document.activeElement.id") == "text"
    keys(page, "2")
    assert page.find("#text").get_attribute("value").endswith("2"), "a number is text while one writes"
    with_control(page, "z")
    page.coloured()
    word(page, "film").click()
    page.js("document.querySelector('.words .chosen').focus()")
    keys(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.until(lambda: chosen(page) == ["not"])
    page.until(lambda: len(page.all(".replacements button")) == 4)  # what can stand for "not"
    page.quiet()
    keys(page, Keys.ENTER)
    assert page.js("return document.activeElement.closest('.replacements') !== null")
    keys(page, Keys.ENTER)
    page.until("!document.querySelector('.changed').hidden")
    page.js("document.activeElement.blur()")
    keys(page, "?")
    assert page.find("#keys").is_displayed()
    keys(page, Keys.ESCAPE)
    page.quiet()


def test_everything_has_a_name_for_those_who_do_not_see_it(page):
    for view in VIEWS:
        page.view(view)
        page.quiet()
        nameless = page.js("""return [...document.querySelectorAll('button, input:not([hidden]), select, textarea, [role=button], [role=tab], svg[role]')]
          .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length || one.ariaHidden))
          .map((one) => one.outerHTML.slice(0, 120))""")
        assert nameless == [], view


def test_light_and_dark(page):
    page.coloured()
    paper = "return getComputedStyle(document.body).backgroundColor"
    assert page.js(paper) == "rgb(250, 249, 246)"
    look_as(page.driver, 1440, 900, True)
    assert page.js(paper) == "rgb(18, 21, 24)"
    page.find("#theme").click()
    assert page.js(paper) == "rgb(250, 249, 246)"
    page.driver.refresh()
    page.coloured()
    assert page.js(paper) == "rgb(250, 249, 246)", "what was chosen stays"


def test_export_as_svg_png_and_csv(page, tmp_path):
    page.coloured()
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.write('=cmd "quoted", not bad 世界')
    page.coloured()
    for button in page.all("#panel .export button"):
        button.click()
    for name in ("words.svg", "words.png", "words.csv"):
        page.until(lambda: (tmp_path / name).exists() and (tmp_path / name).stat().st_size, name)
    svg = xml.dom.minidom.parse(str(tmp_path / "words.svg"))
    assert svg.documentElement.tagName == "svg" and "bad" in svg.documentElement.toxml()
    assert "currentColor" not in svg.documentElement.toxml() and "class=" not in svg.documentElement.toxml()
    assert (tmp_path / "words.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and (tmp_path / "words.png").stat().st_size > 3000
    rows = (tmp_path / "words.csv").read_bytes().decode().split("\r\n")
    assert rows[0] == "word,sensitivity,typical,worst_word,worst_change,synonym,synonym_change,antonym,antonym_change,dropped,token,tokens,begin,end"
    assert rows[1].startswith("'=,") and rows[3].startswith('"""",')
    page.view("attention")
    page.until("document.querySelectorAll('#panel figure svg image').length >= 8")
    page.all("#panel .export button")[-1].click()
    page.until(lambda: (tmp_path / "heads.png").exists() and (tmp_path / "heads.png").stat().st_size, "heads.png")


# Trouble.


def test_a_second_tab_waits_its_turn(page, server):
    page.coloured()
    first = page.driver.current_window_handle
    page.write("a long text about nothing at all " * 40)
    page.until("document.querySelector('#status.busy')")
    page.driver.switch_to.new_window("tab")
    page.driver.get(server.home)
    page.until("/waits for 1 job of other tabs/.test(document.querySelector('#status').textContent)", "a turn")
    second = page.driver.current_window_handle
    page.driver.switch_to.window(first)
    keys(page, Keys.ESCAPE)
    page.driver.switch_to.window(second)
    page.coloured()
    page.driver.close()
    page.driver.switch_to.window(first)


def test_the_server_is_killed_and_started_again(driver):
    server = Server(port=free_port())
    try:
        page = fresh(driver, server)
        page.coloured()
        server.kill()
        page.write("nobody is there")
        page.until("document.querySelector('#trouble').textContent.includes('The server does not answer')", "the trouble")
        assert f"wordsway serve --port {server.port}" in page.text("#trouble")
        server.start()
        page.until("document.querySelector('#trouble').textContent.includes('does not have the key')", "the new key is missed")
        first = driver.current_window_handle
        driver.switch_to.new_window("tab")
        driver.get(server.address)
        page.coloured()
        driver.close()
        driver.switch_to.window(first)
        page.until("document.querySelector('#trouble').hidden", "the page goes on")
        page.coloured()
        assert shown_words(page) == ["nobody", "is", "there"]
        server.kill()
        page.write("once more")
        page.until("!document.querySelector('#trouble').hidden")
        server.start()
        driver.get(server.address)  # only what stands behind the # is new: the page is not loaded again
        page.coloured()
        assert shown_words(page) == ["once", "more"]
        page.console()
    finally:
        server.kill()


def test_an_error_is_the_programs_sentence(page):
    page.coloured()
    page.write("word " * 30000)
    page.until("document.querySelector('#trouble').textContent.includes('text')", "the sentence")
    page.console()  # the browser writes a refused request there
    page.write("short")
    page.coloured()
    assert shown_words(page) == ["short"]
    assert page.find("#trouble").is_displayed() is False, "it is forgotten when something works"


def test_a_text_of_512_tokens(page):
    page.coloured()
    page.view("attention")
    page.write("the film was not good but we stayed " * 62 + "until the very end of it all , sadly")
    page.until("document.querySelector('#counts').textContent.includes('tokens')")
    page.until("document.querySelector('#panel figure .note').textContent.includes('block of tokens')", "a reduced picture")
    page.view("layers")
    page.until(lambda: "ascent" in curves(page), "layers of a long text")
    page.view("words")
    page.until("document.querySelectorAll('.words span').length > 500", "the words")
    page.until("/Words.* · \\d/.test(document.querySelector('#status.busy')?.textContent)", "work")
    keys(page, Keys.ESCAPE)  # all colours take minutes
    page.write("short")
    page.coloured()



SCRIPTS = [
    "Привет, мир! Фильм был плохой.",
    "世界は広い。映画は良くなかった。",
    "كان الفيلم سيئا جدا",
    "फिल्म अच्छी नहीं थी",
    "👩‍👩‍👧 the 😀film😀 was 🏳️‍🌈 e\u0301te\u0301 not good",
    "𝔉𝔦𝔩𝔪 \u200bzero\u200dwidth \u202eright to left\u202c",
]


@pytest.mark.parametrize("text", SCRIPTS)
def test_other_scripts_and_emoji(page, text):
    page.coloured()
    page.write(text)
    page.until(lambda: page.text(".words") == text)
    page.coloured()
    assert page.text(".words") == text
    assert all(one and one in text for one in shown_words(page))  # marks that the tokenizer leaves out belong to no word
    page.view("attention")
    page.until("document.querySelectorAll('#panel figure svg image').length > 0", "attention")


HOSTILE = [
    "</script><script>window.pwned = 1</script>",
    "<img src=x onerror='window.pwned = 1'> <svg onload=window.pwned=1>",
    "\"'`${window.pwned=1}` \\\" \\u003cscript\\u003e {{7*7}} %3Cscript%3E",
    "]]> --> <!-- &lt;b&gt; &#x3c; \u2028 \u2029 \u0000 \ufffe end",
    "javascript:window.pwned=1 data:text/html,<script>window.pwned=1</script>",
    "event: result\ndata: []\n\nevent: error\n\n: x",
    "x" * 3000 + " <b>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_texts(page, server, text):
    elements = "return document.querySelectorAll('script, img, iframe, object, embed, link, style, base').length"
    before = page.js(elements)
    page.write(text)
    page.until(lambda: page.text(".words") == page.find("#text").get_attribute("value"))
    page.until("document.querySelectorAll('.words span').length > 0 && !document.querySelector('.words .waits')", "colours")
    for view in ("attention", "pairs", "answers"):
        page.driver.get("about:blank")
        page.driver.get(f"{server.home}#" + urllib.parse.urlencode({"v": view, "t": text, "a": text, "b": "b", "qa": text, "qb": "b"}))
        page.until("document.querySelector('#panel .view')")
        page.quiet()
        assert page.js(elements) == before
    assert page.js("return window.pwned") is None
    assert page.js("return document.documentElement.scrollWidth <= innerWidth")


def test_hostile_addresses(page, server):
    evil = urllib.parse.quote("</script><img src=x onerror=window.pwned=1>")
    for address in (f"v={evil}&t={evil}&m={evil}&layer={evil}&to={evil}", f"v=attention&al=-7&ah={evil}&move={evil}&draw={evil}&token=99999",
                    f"v=pairs&set={evil}&cls={evil}&cut=NaN&a={evil}", f"v=paper&maps={evil}&d=1e9&beta=-1&data=builtin", "v=words&__proto__=1&constructor=1&long=1"):  # fmt: skip
        page.open(server.home + "#" + address)
        page.until("document.querySelector('#panel').childElementCount > 0")
        page.quiet()
        assert page.js("return window.pwned") is None
        assert page.all("#panel img") == []
    page.console()  # what the server refuses is written there by the browser


def test_a_text_of_100_kilobytes(page):
    page.coloured()
    page.write("<b>never</b> " * 8000)
    page.until("document.querySelectorAll('.words span').length === 2048 && document.querySelector('#counts').textContent.includes('64,000 words')", "the first words")
    assert "long=1" in page.driver.current_url and len(page.driver.current_url) < 20000
    page.driver.refresh()
    page.until("document.querySelector('#text').value.length > 100000", "the text after a reload")
    page.until("document.querySelector('#status.busy')")
    keys(page, Keys.ESCAPE)
    page.write("short")
    page.coloured()


# What it looks like.


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_every_view_fits_every_screen(page, server, width, dark):
    page.coloured()
    look_as(page.driver, width, 844 if width < 500 else 900, dark)
    for view in VIEWS:
        page.open(f"{server.home}#v={view}")
        page.until("document.querySelector('#panel').childElementCount > 0")
        page.quiet()
        page.shot(f"{view}-{width}-{'dark' if dark else 'light'}")
        assert page.js("return document.documentElement.scrollWidth") <= width, view
        small = page.js("""return [...document.querySelectorAll('#panel figure svg')].filter((svg) => svg.clientWidth && svg.getAttribute('width') / svg.getBoundingClientRect().width > 1.02).length""")
        assert small == 0, "letters keep their size"


def test_types():
    checked = subprocess.run([ROOT / "scripts/page_types.sh"], capture_output=True, text=True)
    if checked.returncode == 77:
        pytest.skip(checked.stderr.strip())
    assert checked.returncode == 0, checked.stdout
