import pytest

from browser import Page, Server, look_as, new_driver


@pytest.fixture(scope="session")
def server():
    running = Server()
    yield running
    running.kill()


@pytest.fixture(scope="session")
def driver():
    chromium = new_driver()
    yield chromium
    chromium.quit()


@pytest.fixture
def page(driver, server):
    """The page as somebody opens it first. At the end nothing may have gone wrong, and nothing may have been fetched
    from elsewhere."""
    seen = fresh(driver, server)
    yield seen
    assert seen.console() == []
    assert [url for url in seen.requests() if not url.startswith((server.home, "data:", f"blob:{server.home}", "about:"))] == []


def fresh(driver, server):
    while len(driver.window_handles) > 1:
        driver.switch_to.window(driver.window_handles[-1])
        driver.close()
    driver.switch_to.window(driver.window_handles[0])
    look_as(driver, 1440, 900, False)
    driver.get(server.home)
    driver.execute_script("localStorage.clear(); sessionStorage.clear()")
    seen = Page(driver)
    driver.get("about:blank")
    seen.console(), seen.requests()
    seen.open(server.address)
    return seen
