"""A view is its module and one row of a table: a new one, in a copy of the package, is opened."""

from __future__ import annotations

import filecmp
import re
import shutil
from pathlib import Path

from playwright.sync_api import Browser, expect

import tilewise
from tests.web.client import server_of, serving

PACKAGE = Path(tilewise.__file__).parent
TABLE = "const VIEWS = [\n"
ROW = "  { name: 'parity', title: 'Parity', icon: 'bulb' },\n"
MODULE = """
import { request } from './api.js';
import { h } from './dom.js';

export default class Parity {
  constructor(app, params) {
    this.app = app;
    this.shown = params.shown ?? 'swaps';
    this.text = h('p', { id: 'found' });
    this.element = h('div', {}, this.text);
  }

  async mounted() {
    const { explanation } = await request('/api/board', this.app.problem());
    this.text.textContent = `${explanation[this.shown]} ${this.shown}`;
  }

  link() {
    return { shown: this.shown };
  }
}
"""


def changed_files(copy: Path) -> list[str]:
    """The files of the copy that differ from those of the package."""
    names = {path.relative_to(copy) for path in copy.rglob("*") if path.is_file()}
    same, _, _ = filecmp.cmpfiles(PACKAGE, copy, list(map(str, names)), shallow=False)
    return sorted(name.as_posix() for name in names - set(map(Path, same)))


def test_a_view_is_added_by_its_module_and_one_row_of_the_table(
    browser: Browser, tmp_path: Path
) -> None:
    copy = tmp_path / "tilewise"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    table = copy / "web" / "static" / "app.js"
    source = table.read_text(encoding="utf-8")
    assert source.count(TABLE) == 1
    table.write_text(source.replace(TABLE, TABLE + ROW), encoding="utf-8")
    (copy / "web" / "static" / "parity.js").write_text(MODULE, encoding="utf-8")
    assert changed_files(copy) == ["web/static/app.js", "web/static/parity.js"]
    with server_of(serving("--port", "0", source=tmp_path)) as server:
        page = browser.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server.url}/#enter?board=123 456 87b&goal=last")
        page.wait_for_selector("main[data-ready=enter]")
        link = page.get_by_role("navigation").get_by_role("link", name="Parity")
        link.click()
        expect(page.get_by_role("heading", name="Parity")).to_be_visible()
        expect(link).to_have_attribute("aria-current", "page")
        expect(page.locator("#found")).to_have_text("1 swaps")
        expect(page).to_have_title("Parity · tilewise")
        expect(page).to_have_url(re.compile("shown=swaps"))
        page.goto(page.url.replace("shown=swaps", "shown=blank_steps"))
        expect(page.locator("#found")).to_have_text("0 blank_steps")
        page.reload()
        expect(page.locator("#found")).to_have_text("0 blank_steps")
        assert complaints == []
        page.close()
