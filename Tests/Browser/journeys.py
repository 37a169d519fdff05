#!/usr/bin/env python3
"""Uses the page as people do, in browsers without a window, against a real server.

    Tests/Browser/journeys.py [NAME ...]    default: all

TODO_SERVER_PROGRAM is the path of the server; default: the debug build.
"""

import importlib.util
import json
import pathlib
import random
import signal
import sys
import time
import traceback
import urllib.error
import urllib.request
import uuid

from browsers import ARROW_DOWN, ARROW_UP, CONTROL, ENTER, ESCAPE, F6, NULL, SERVER, browser, check, page_files, server, wait

# A debug build answers a listing this many times more slowly, so it only shows that nothing is out of proportion.
SLOWNESS = 1 if "/release/" in SERVER else 5
# The journeys add items faster than people do.
LIMITS = ["--limit", "item-rate=1000000", "--limit", "item-burst=1000000", "--limit", "text-rate=1073741824"]

EVIL = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>'\"`javascript:window.hacked=1"


def call(host, method, request, token=None):
    service = method if "/" in method else f"todo.v1.ToDoService/{method}"
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    body = json.dumps(request).encode()
    with urllib.request.urlopen(urllib.request.Request(host.url + service, body, headers), timeout=60) as response:
        return json.load(response)


def add(host, title, **fields):
    item = {"id": str(uuid.uuid4()), "title": title, **fields}
    return call(host, "AddItem", {"item": item, "saveWithoutCoordinate": True})["item"]


def open_page(page, host):
    page.open(host.url)
    page.find("#quick-add")
    wait("a live connection", lambda: page.run("return document.querySelector('#connection')?.textContent === ''"))


def quick_add(page, title):
    page.type("#quick-add", title)
    page.press(ENTER)
    wait(f"the row {title}", lambda: title in page.texts(".row .title"))


def row(title):
    return f"[...document.querySelectorAll('.row')].find((e) => e.querySelector('.title').textContent === {json.dumps(title)})"


def click_row(page, title, part=".row-main"):
    wait(f"the row {title}", lambda: page.run(f"const r = {row(title)}; r?.querySelector('{part}').click(); return Boolean(r);"))


def book(host):
    """The journey of the book: add with an address, see the map, check, edit, find it in Done, undo."""
    with browser() as page:
        open_page(page, host)
        page.press("A")
        page.type("#form-title-field", "Visit the pinakothek")
        page.type("#address", "Marienplatz, München")
        page.wait_text(".candidate", "Munich")
        page.click(".form [type=submit]")
        click_row(page, "Visit the pinakothek")
        page.find(".place-map canvas")
        wait(
            "a map",
            lambda: page.run(
                "const c = document.querySelector('.place-map canvas'); if (!c.width) return false;"
                "return new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size > 8"
            ),
        )
        page.press(" ")
        wait("Done", lambda: page.section("done") == ["Visit the pinakothek"])
        page.press("e")
        page.type("#form-title-field", "Visit the new pinakothek")
        page.driver.find_element("css selector", "#form-title-field").send_keys("\ue009s\ue000")
        page.wait_text("#panel-title", "Visit the new pinakothek")
        check(page.section("done") == ["Visit the new pinakothek"], f"the edited item is not in Done: {page.texts('.section')}")
        page.press("u")
        page.wait_text("#panel-title", "Visit the pinakothek")
        page.press("u")
        wait("no longer done", lambda: page.section("done") is None and page.section("todo") == ["Visit the pinakothek"])
        page.press("u")
        wait("no longer added", lambda: page.texts(".row .title") == [])
        page.check_no_errors()


def keys(host):
    """The keys of todo ui: select, check, delete, undo, search, filter, sort, the trash, numbers."""
    add(host, "Apple", priority="PRIORITY_HIGH", tags=["fruit"])
    add(host, "Bread")
    add(host, "Cherry", tags=["fruit"])
    with browser() as page:
        open_page(page, host)
        wait("three rows", lambda: page.section("todo") == ["Apple", "Bread", "Cherry"])
        selected = lambda: page.texts(".row.selected .title")
        page.press("j")
        wait("Apple selected", lambda: selected() == ["Apple"])
        page.press("j")
        wait("Bread selected", lambda: selected() == ["Bread"])
        page.press(" ")
        wait("Bread done", lambda: page.section("done") == ["Bread"])
        wait("the next one selected", lambda: selected() == ["Cherry"])
        check("Cherry" in page.run("return document.activeElement.textContent"), "the next row has no focus")
        page.press("g")
        wait("Apple selected", lambda: selected() == ["Apple"])
        page.press("d")
        wait("Apple deleted", lambda: page.section("todo") == ["Cherry"])
        page.press("u")
        wait("Apple back", lambda: page.section("todo") == ["Apple", "Cherry"])
        page.press("3")
        wait("the number 3", lambda: selected() == ["Cherry"])
        page.press("/")
        page.find("#search")
        page.press("appl")
        wait("the search", lambda: page.section("todo") == ["Apple"])
        page.press(ESCAPE)
        wait("all again", lambda: page.section("todo") == ["Apple", "Cherry"])
        page.press("r")
        wait("reversed", lambda: page.section("todo") == ["Cherry", "Apple"])
        page.press("r")
        page.press("G")
        wait("Bread selected", lambda: selected() == ["Bread"])
        page.press("d")
        wait("Bread deleted", lambda: page.section("done") is None)
        page.press("t")
        page.wait_text(".trash .title", "Bread")
        page.click(".trash .small-button")
        page.wait_text(".empty-title", "The trash is empty.")
        page.press(ESCAPE)
        wait("Bread restored", lambda: page.section("done") == ["Bread"])
        page.press("?")
        page.wait_text("dialog kbd", "PageDown")
        page.press(ESCAPE)
        wait("no dialog", lambda: not page.texts("dialog"))
        page.check_no_errors()


def more_keys(host):
    """The keys of todo ui that concern sections, parts of the window, steps, occurrences, messages and the due date of the form."""
    today = {"year": 2026, "month": 1, "day": 1}
    repetition = {"recurrenceRule": "FREQ=YEARLY", "timeZone": "Europe/Berlin"}
    add(host, "Rent", dueDate=today, repetition=repetition, steps=[{"text": "One"}, {"text": "Two"}])
    add(host, "Later")
    call(host, "CheckItem", {"id": add(host, "Done")["id"]})
    with browser() as page:
        open_page(page, host)
        selected = lambda: page.texts(".row.selected .title")
        wait("the rows", lambda: page.section("overdue") == ["Rent"] and page.section("done") == ["Done"])
        for key, title in (("j", "Rent"), ("]", "Later"), ("]", "Done"), ("]", "Rent"), ("[", "Done"), ("[", "Later")):
            page.press(key)
            wait(f"{title} selected", lambda: selected() == [title])
        page.press("g", "S")
        page.wait_text(".notice", "Skipped “Rent”, next")
        wait("no longer overdue", lambda: page.section("overdue") is None)
        page.press("u")
        page.wait_text(".notice", "Undone")
        page.press("g", "]", "S")
        page.wait_text(".notice", "doesn't repeat")
        focus = lambda: page.run("return document.activeElement.closest('#menu, #main, .panel')?.className")
        page.press("g")
        wait("the focus on Rent", lambda: "Rent" in page.run("return document.activeElement.textContent"))
        page.press(ENTER)
        page.find(".steps")
        for key, label in (("j", "One"), ("j", "Two"), ("k", "One"), ("2", "Two")):
            page.press(key)
            wait(f"the step {label}", lambda: page.run("return document.activeElement.getAttribute('aria-label')") == label)
        page.press(" ")
        wait("the step is done", lambda: page.texts(".step.done") == ["Two"])
        page.press(F6)
        wait("the focus in the menu", lambda: focus() == "menu")
        page.press(F6)
        wait("the focus in the list", lambda: focus() == "main")
        page.press(F6)
        wait("the focus in the item", lambda: focus() == "panel")
        page.press(CONTROL + "g")
        page.wait_text(".messages li", "doesn't repeat")
        check(any("Skipped “Rent”" in text for text in page.texts(".messages li")), "an earlier message is missing")
        page.press(CONTROL + "g")
        wait("no dialog", lambda: not page.texts("dialog"))
        page.press("e")
        page.find("#form-title-field")
        date = lambda: page.run("return document.querySelector('.form input[type=date]').value")
        wait("the date", lambda: date() == "2026-01-01")
        page.press(CONTROL + ARROW_DOWN + NULL)
        wait("a day later", lambda: date() == "2026-01-02")
        page.press(CONTROL + ARROW_UP + ARROW_UP + NULL)
        wait("two days earlier", lambda: date() == "2025-12-31")
        page.check_no_errors()


def occurrences(host):
    """The page moves items that repeat on to the same dates as the server, for random rules."""
    draw = random.Random(30)
    items = []
    for number in range(200):
        try:
            items.append(add(host, f"Item {number}", **repeating(draw)))
        except urllib.error.HTTPError:
            continue  # The rule is not valid.
    with page_files() as files, browser() as page:
        page.open(f"{files}app.css")
        moved = page.driver.execute_async_script(
            "const [items, done] = arguments; Promise.all([import('/occurrences.js'), import('/items.js')]).then("
            "([{ skipped }, { readItem }]) => done(items.map((item) => skipped(readItem(item), Date.now())?.fields ?? null)));",
            items,
        )
    for item, found in zip(items, moved, strict=True):
        checked = call(host, "CheckItem", {"id": item["id"]})["item"]
        expected = None if checked.get("done") else {k: checked[k] for k in ("dueDate", "dueTime", "waitTime") if k in checked}
        check(seconds(found) == seconds(expected), f"{item}: {found} is not {expected}")
    print(f"  {len(items)} rules")
    check(len(items) > 100, f"only {len(items)} rules were valid")


def seconds(fields):
    """Returns fields whose times have no fraction, which the server omits."""
    return fields and {name: value.replace(".000Z", "Z") if isinstance(value, str) else value for name, value in fields.items()}


def repeating(draw):
    """Returns the due date and the repetition of a random item."""
    zone = draw.choice(["", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"])
    year, month, day = draw.randint(2019, 2027), draw.randint(1, 12), draw.randint(1, 28)
    fields = {"dueDate": {"year": year, "month": month, "day": day}}
    if draw.random() < 0.6:
        fields = {"dueTime": f"{year}-{month:02}-{day:02}T{draw.randint(0, 23):02}:{draw.choice([0, 15, 30]):02}:00Z"}
    if draw.random() < 0.2:
        fields["waitTime"] = f"{year}-{month:02}-01T05:00:00Z"
    frequency = draw.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    if draw.random() < 0.15:
        after = {"count": draw.randint(1, 40), "unit": f"FREQUENCY_{frequency}"}
        return {**fields, "repetition": {"afterDone": after, "timeZone": zone}}
    parts = [f"FREQ={frequency}", f"INTERVAL={draw.choice([1, 1, 2, 3, 5])}"]
    if draw.random() < 0.3:
        parts.append("BYMONTH=" + ",".join(str(m) for m in sorted(draw.sample(range(1, 13), draw.randint(1, 3)))))
    if draw.random() < 0.3 and frequency != "WEEKLY":
        parts.append("BYMONTHDAY=" + ",".join(str(d) for d in sorted(draw.sample([-31, -2, -1, 1, 13, 15, 29, 30, 31], 2))))
    if draw.random() < 0.4:
        number = lambda: draw.choice(["", "", "1", "2", "-1", "5"]) if frequency in ("MONTHLY", "YEARLY") else ""
        parts.append("BYDAY=" + ",".join(number() + name for name in draw.sample(["MO", "TU", "WE", "TH", "FR", "SA", "SU"], 2)))
    end = draw.random()
    if end < 0.15:
        parts.append(f"COUNT={draw.randint(1, 500)}")
    elif end < 0.3:
        parts.append(f"UNTIL={draw.randint(2025, 2035)}{draw.randint(1, 12):02}{draw.randint(1, 28):02}")
    if draw.random() < 0.3:
        parts.append("WKST=SU")
    if draw.random() < 0.3:
        parts = ["RSCALE=GREGORIAN", *parts, "SKIP=BACKWARD"]
    return {**fields, "repetition": {"recurrenceRule": ";".join(parts), "timeZone": zone}}


def add_rent(host):
    """Adds an item that repeats on Mondays. Returns its ID."""
    return add(
        host,
        "Rent",
        dueDate={"year": 2030, "month": 1, "day": 7},
        description="By transfer",
        repetition={"recurrenceRule": "FREQ=WEEKLY;BYDAY=MO", "timeZone": "Europe/Berlin"},
    )["id"]


def edit(page, item, fields, choice):
    """Saves an item with these fields, and answers the question about its occurrences, which it returns."""
    page.run("document.activeElement.blur()")
    page.run("document.querySelector('[data-id=\"' + arguments[0] + '\"]').click()", item)
    page.click("[aria-label='Edit']")
    return save(page, fields, choice)


def save(page, fields, choice):
    page.find("#form-title-field")
    for selector, value in fields.items():
        page.fill(selector, value)
    page.click(".form [type=submit]")
    page.find("dialog .choice")
    question = "".join(page.texts("dialog"))
    page.click_text("dialog .choice", choice)
    return question


def stored_items(host):
    """Returns title, due date, rule and note of each item."""
    return sorted(
        (
            item["title"],
            "{year}-{month:02}-{day:02}".format(**item["dueDate"]),
            item.get("repetition", {}).get("recurrenceRule"),
            item.get("description"),
        )
        for item in call(host, "ListItems", {}).get("items", [])
    )


def one_or_all(host):
    """An edit of an item that repeats is of one occurrence or of all that follow, also if the second of its two writes fails."""
    rent = add_rent(host)
    stored = lambda: stored_items(host)
    weekly = "FREQ=WEEKLY;BYDAY=MO"
    first = ("Rent and heating", "2030-01-07", None, "By transfer")
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Rent"])
        # The occurrence is no duplicate of the item that repeats.
        edit(page, rent, {"#field-tags": "home"}, "Only this one, as")
        page.wait_text("#panel-title", "Rent")
        check(stored() == [("Rent", "2030-01-07", None, "By transfer"), ("Rent", "2030-01-14", weekly, "By transfer")], "not split")
        page.run("document.activeElement.blur()")
        page.press("u")
        wait("neither is saved", lambda: stored() == [("Rent", "2030-01-07", weekly, "By transfer")])
        edit(page, rent, {"#form-title-field": "Rent and heating"}, "Cancel")
        check(stored() == [("Rent", "2030-01-07", weekly, "By transfer")], f"saved: {stored()}")
        page.click_text(".form .main-button", "Save")
        page.click_text("dialog .choice", "Only this one, as an item of its own")
        page.wait_text("#panel-title", "Rent and heating")
        check(stored() == [("Rent", "2030-01-14", weekly, "By transfer"), first], f"saved: {stored()}")
        edit(page, rent, {"#field-date": "2030-01-15"}, "This one and all following")
        tuesday = ("Rent", "2030-01-15", "FREQ=WEEKLY;BYDAY=TU", "By transfer")
        wait("the rule follows", lambda: stored() == [tuesday, first])
        edit(page, rent, {"#field-note": "In cash"}, "This one and all following")
        wait("all have the note", lambda: stored() == [(*tuesday[:3], "In cash"), first])
        edit(page, rent, {"#field-date": "2030-01-17"}, "Only this one")
        moved = ("Rent", "2030-01-17", "FREQ=WEEKLY;BYDAY=TU", "In cash")
        wait("one has moved", lambda: stored() == [moved, first])
        # The second write fails: the page says so, tries again, or removes what the first one has added.
        other = ("Rent in June", "2030-01-17", None, "In cash")
        page.command("Network.enable")
        for choice, expected in (("Remove", [moved, first]), ("Try again", [("Rent", "2030-01-22", *moved[2:]), first, other])):
            page.command("Network.setBlockedURLs", urls=["*/UpdateItem"])
            edit(page, rent, {"#form-title-field": "Rent in June"}, "Only this one, as")
            page.wait_text("dialog h2", "Only half of it is saved")
            check(stored() == [moved, first, other], f"half: {stored()}")
            page.command("Network.setBlockedURLs", urls=[])
            page.click_text("dialog .choice", choice)
            wait(choice, lambda expected=expected: stored() == expected)
            if choice == "Remove":
                page.click("[aria-label='Cancel']")
                page.click_text("dialog .choice", "Discard")
        page.wait_text("#panel-title", "Rent in June")
        page.run("document.activeElement.blur()")
        page.press("u")
        page.wait_text(".notice", "Undone: Added “Rent in June”; “Rent” goes on")
        wait("neither is saved", lambda: stored() == [moved, first])


def following(host):
    """The page says so if the rule of an item that repeats can't follow to another date."""
    item = add(
        host,
        "Choir",
        dueDate={"year": 2030, "month": 1, "day": 7},
        repetition={"recurrenceRule": "FREQ=WEEKLY;BYDAY=MO,TH", "timeZone": "Europe/Berlin"},
    )["id"]
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Choir"])
        # Of two weekdays, one can't become the other.
        edit(page, item, {"#field-date": "2030-01-03", "#form-title-field": "Choir and tea"}, "This one and all following")
        page.wait_text(".notice", "Moved only this occurrence; the rule can't follow")
        page.click(".notice-button")
        wait("undone", lambda: [title for title, *_ in stored_items(host)] == ["Choir"])
        page.click("[aria-label='Edit']")
        page.fill("#field-date", "2030-01-10")
        page.click(".form [type=submit]")
        page.wait_text(".notice", "Moved to another occurrence")


def unknown_zone(host):
    """A browser that doesn't know the time zone of an item that repeats changes all of its occurrences only if its user agrees."""
    rent = add_rent(host)
    stored = lambda: [title for title, *_ in stored_items(host)]
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Rent"])
        page.run(
            "const real = Intl.DateTimeFormat;"
            "Intl.DateTimeFormat = function (locale, options) {"
            "  if (options?.timeZone === 'Europe/Berlin') throw new RangeError('unknown');"
            "  return new real(locale, options); };"
        )
        question = edit(page, rent, {"#form-title-field": "Rent and heating"}, "Cancel")
        check("Europe/Berlin" in question and stored() == ["Rent"], f"{question}; saved: {stored()}")
        save(page, {}, "All occurrences")
        wait("saved", lambda: stored() == ["Rent and heating"])
        page.run("document.activeElement.blur()")
        page.press("S")
        page.wait_text(".notice", "doesn't know the time zone Europe/Berlin")


def interfere(page, request):
    """Lets somebody else call a method just before the page's next UpdateItem."""
    page.run(
        "const [method, body] = arguments; window.realFetch ??= window.fetch;"
        "const headers = { 'content-type': 'application/json' };"
        "window.fetch = async (url, options) => {"
        "  if (!String(url).endsWith('/UpdateItem')) return realFetch(url, options);"
        "  window.fetch = realFetch;"
        "  await realFetch(`/todo.v1.ToDoService/${method}`, { method: 'POST', headers, body: JSON.stringify(body) });"
        "  return realFetch(url, options); };",
        *request,
    )


def lose(page, *methods):
    """Lets the page lose the responses to these methods, which the server has carried out."""
    page.run(
        "const methods = arguments[0]; window.realFetch ??= window.fetch;"
        "window.fetch = async (url, options) => {"
        "  const response = await realFetch(url, options);"
        "  if (methods.some((method) => String(url).endsWith(`/${method}`))) throw new TypeError('lost');"
        "  return response; };",
        methods,
    )


def lost_responses(host):
    """An occurrence becomes one item of its own, whichever response is lost, and whatever the user does then."""
    rent = add_rent(host)
    stored = lambda: stored_items(host)
    june = ("Rent in June", "2030-01-07", None, "By transfer")
    moved = ("Rent", "2030-01-14", "FREQ=WEEKLY;BYDAY=MO", "By transfer")
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Rent"])
        # The item has moved on, but the page doesn't know it, and the user wants to begin again.
        lose(page, "UpdateItem")
        edit(page, rent, {"#form-title-field": "Rent in June"}, "Only this one, as")
        page.wait_text("dialog h2", "Only half of it is saved")
        lose(page)
        page.click_text("dialog .choice", "Remove")
        page.wait_text(".notice", "save again")
        save(page, {}, "Only this one, as")
        page.wait_text("#panel-title", "Rent in June")
        check(stored() == [moved, june], f"saved: {stored()}")
        # The occurrence is added, but the page doesn't know it, and the user changes something else before saving again.
        lose(page, "AddItem")
        edit(page, rent, {"#form-title-field": "Rent in July"}, "Only this one, as")
        page.wait_text(".notice", "Saving failed")
        wait("the first attempt", lambda: len(stored()) == 3)
        lose(page)
        save(page, {"#field-note": "In cash"}, "Only this one, as")
        page.wait_text("#panel-title", "Rent in July")
        july = ("Rent in July", "2030-01-14", None, "In cash")
        check(stored() == [("Rent", "2030-01-21", *moved[2:]), july, june], f"saved: {stored()}")
        lose(page, "AddItem")
        edit(page, rent, {"#form-title-field": "Rent in August"}, "Only this one, as")
        page.wait_text(".notice", "Saving failed")
        lose(page)
        save(page, {"#field-tags": "home"}, "Only this one, as")
        page.wait_text("#panel-title", "Rent in August")
        items = {item["title"]: item.get("tags", []) for item in call(host, "ListItems", {})["items"]}
        check(items == {"Rent": [], "Rent in June": [], "Rent in July": [], "Rent in August": ["home"]}, f"saved: {items}")


def interfering(host):
    """Two people at one occurrence: what somebody else does to it is not taken for what the page has done, or the reverse."""
    rent = add_rent(host)
    weekly = "FREQ=WEEKLY;BYDAY=MO"
    june = ("Rent in June", "2030-01-14", None, "By transfer")
    done = lambda day: ("Rent", f"2030-01-{day}", None, "By transfer")
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Rent"])
        # Somebody checks the occurrence, so that the item is due when it would be after the split.
        interfere(page, ("CheckItem", {"id": rent}))
        edit(page, rent, {"#form-title-field": "Rent in June"}, "Only this one, as")
        page.wait_text(".notice", "somebody else has changed")
        check(stored_items(host) == [done("07"), ("Rent", "2030-01-14", weekly, "By transfer")], f"saved: {stored_items(host)}")
        page.click("[aria-label='Cancel']")
        page.click_text("dialog .choice", "Discard")
        # The page has moved the item on without knowing it, and then somebody checks the next occurrence.
        lose(page, "UpdateItem")
        edit(page, rent, {"#form-title-field": "Rent in June"}, "Only this one, as")
        page.wait_text("dialog h2", "Only half of it is saved")
        lose(page)
        call(host, "CheckItem", {"id": rent})
        page.click_text("dialog .choice", "Try again")
        page.wait_text("dialog", "has been changed since")
        page.press(ESCAPE)
        page.wait_text("#panel-title", "Rent in June")
        expected = [done("07"), done("21"), ("Rent", "2030-01-28", weekly, "By transfer"), june]
        check(stored_items(host) == expected, f"saved: {stored_items(host)}")


def waiting(host):
    """Waiting items are counted, and shown and hidden on demand."""
    add(host, "Now")
    add(host, "Then", waitTime="2999-01-01T00:00:00Z")
    with browser() as page:
        open_page(page, host)
        page.wait_text(".quiet", "1 item waiting · show")
        check(page.section("todo") == ["Now"] and page.section("waiting") is None, "a waiting item is shown")
        page.click(".quiet")
        wait("the section Waiting", lambda: page.section("waiting") == ["Then"])
        page.run("document.activeElement.blur()")
        page.press("w")
        wait("hidden again", lambda: page.section("waiting") is None)


def questions(host):
    """A duplicate and an unknown address are asked about, and nothing is lost when the user cancels."""
    add(host, "Twice")
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Twice"])
        page.type("#quick-add", "Twice")
        page.press(ENTER)
        page.wait_text("dialog h2", "duplicate")
        page.press(ESCAPE)
        wait("the text stays", lambda: page.run("return document.querySelector('#quick-add').value") == "Twice")
        page.click("#quick-add")
        page.press(ENTER)
        page.wait_text("dialog h2", "duplicate")
        page.click_text("dialog .choice", "Save anyway")
        wait("two items", lambda: page.section("todo") == ["Twice", "Twice"])
        page.click("[aria-label='All fields']")
        page.type("#form-title-field", "Nowhere")
        page.type("#address", "Qqzzxy 99")
        page.click(".form [type=submit]")
        page.wait_text("dialog h2", "Where is it?")
        page.click_text("dialog .choice", "Save without")
        wait("three items", lambda: sorted(page.section("todo") or []) == ["Nowhere", "Twice", "Twice"])


def discarding(host):
    """A form with changes gives way to something else, or to another page, only if the user discards them."""
    call(host, "todo.v1.ListService/CreateList", {"id": str(uuid.uuid4()), "name": "Home"})
    add(host, "First")
    add(host, "Second")
    with browser() as page:
        open_page(page, host)
        wait("the items", lambda: page.section("todo") == ["First", "Second"])
        page.type("#quick-add", "Milk")
        value = lambda selector: page.run("return document.querySelector(arguments[0]).value", selector)
        may_leave = lambda: page.run("return window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")
        click_row(page, "First")
        page.click("[aria-label='Edit']")
        page.find("#form-title-field")
        check(may_leave(), "the browser asks about a form without changes")
        page.type("#form-title-field", "First of all")
        check(not may_leave(), "the browser doesn't ask about a form with changes")
        ways = {
            "a row": lambda: click_row(page, "Second"),
            "another form": lambda: page.click("[aria-label='All fields']"),
            "the map": lambda: page.click_text(".menu-item", "Map"),
            "the trash": lambda: page.click_text(".menu-item", "Trash"),
            "the list": lambda: page.click_text(".menu-item", "Inbox"),
            "another list": lambda: page.click_text(".menu-item", "Home"),
        }
        for name, go in ways.items():
            go()
            page.wait_text("dialog h2", "Discard the changes?")
            page.click_text("dialog .choice", "Cancel")
            wait("no dialog", lambda: not page.texts("dialog"))
            check(value("#form-title-field") == "First of all", f"the changes are lost after {name}")
        check(page.texts(".list-title") == ["Inbox"] and value("#quick-add") == "Milk", "the page shows something else")
        click_row(page, "Second")
        page.wait_text("dialog h2", "Discard the changes?")
        page.click_text("dialog .choice", "Discard")
        page.wait_text("#panel-title", "Second")
        check(may_leave(), "the browser asks without a form")
        titles = sorted(item["title"] for item in call(host, "ListItems", {})["items"])
        check(titles == ["First", "Second"], f"saved: {titles}")
        page.check_no_errors()


def reading(host):
    """The line for new items shows what it reads while it is typed, marks it, and adds it. Of an earlier server, it is a title."""
    with browser() as page:
        open_page(page, host)
        if "parse_quick_add" not in call(host, "GetServerInfo", {})["capabilities"]:
            quick_add(page, "Dinner tomorrow 19:00 @Rossi")
            return
        page.type("#quick-add", "Dinner tomorrow 19:00 @Rossi +food !!")
        page.wait_text("#reading", "at Rossi")
        marks = page.texts(".quick-marks mark")
        check(marks == ["tomorrow 19:00", "@Rossi", "+food", "!!"], f"marked: {marks}")
        check("".join(page.texts(".quick-marks")) == "Dinner tomorrow 19:00 @Rossi +food !!", "the marks have another text")
        page.press(ENTER)
        wait("the item", lambda: page.section("next") == ["Dinner"])
        item = call(host, "ListItems", {})["items"][0]
        check(
            (item["location"], item["tags"], item["priority"]) == ({"name": "Rossi"}, ["food"], "PRIORITY_MEDIUM"), f"added: {item}"
        )
        check(page.run("return document.querySelector('#quick-add').value") == "", "the text stays")
        page.type("#quick-add", "Walk @Halle")
        page.press(ENTER)
        page.wait_text("dialog h2", "Where is it?")
        page.press(ESCAPE)
        check(page.run("return document.querySelector('#quick-add').value") == "Walk @Halle", "the text is lost")
        page.check_no_errors()


def other_list(host):
    """An item that a sentence puts into another list is undone there, and nothing else is."""
    home = str(uuid.uuid4())
    call(host, "todo.v1.ListService/CreateList", {"id": home, "name": "Home"})
    with browser() as page:
        open_page(page, host)
        quick_add(page, "Stays")
        wait("the lists", lambda: page.texts(".menu-list .menu-item") and "Home" in "".join(page.texts(".menu-list")))
        page.type("#quick-add", "Dinner /Home")
        page.wait_text(".quick-marks mark", "/Home")
        page.press(ENTER)
        page.wait_text(".notice", "Added")
        wait("the item", lambda: len(call(host, "ListItems", {"list": home}).get("items", [])) == 1)
        page.run("document.activeElement.blur()")
        page.press("u")
        page.wait_text(".notice", "Undone")
        check(call(host, "ListItems", {"list": home}).get("items", []) == [], "the item is still there")
        check([i["title"] for i in call(host, "ListItems", {})["items"]] == ["Stays"], "the other list has changed")


def gone_list(host):
    """Somebody deletes a list while the page asks a question about it: the question ends, and the default list stays as it is."""
    names = lambda: [entry["name"] for entry in call(host, "todo.v1.ListService/ListLists", {})["set"]["lists"]]
    before = names()
    call(host, "DeleteItem", {"id": add(host, "Deleted")["id"]})
    ways = {
        "Empty the trash?": lambda page: (
            page.click_text(".menu-item", "Trash"),
            page.wait_text(".trash .title", "There"),
            page.click_text(".header-actions .small-button", "Empty"),
        ),
        "Rename the list": lambda page: page.click("[aria-label='Rename the list']"),
        "Where is it?": lambda page: (page.type("#quick-add", "Walk @Halle"), page.press(ENTER)),
    }
    if "parse_quick_add" not in call(host, "GetServerInfo", {})["capabilities"]:
        del ways["Where is it?"]
    lists = {question: str(uuid.uuid4()) for question in ways}
    for number, identifier in enumerate(lists.values()):
        call(host, "todo.v1.ListService/CreateList", {"id": identifier, "name": f"List {number}"})
        item = {"id": str(uuid.uuid4()), "title": "There"}
        call(host, "AddItem", {"item": item, "list": identifier})
        call(host, "DeleteItem", {"id": item["id"], "list": identifier})
    with browser() as page:
        open_page(page, host)
        for number, (question, ask) in enumerate(ways.items()):
            page.click_text(".menu-list .menu-item", f"List {number}")
            page.wait_text(".list-title", f"List {number}")
            ask(page)
            page.wait_text("dialog h2", question)
            page.run("window.choice = document.querySelector('dialog .choice')")
            call(host, "todo.v1.ListService/DeleteList", {"id": lists[question]})
            wait(f"no longer {question}", lambda: not page.texts("dialog"))
            wait("the default list", lambda: page.texts(".list-title") == ["Inbox"])
            # Whoever clicks a moment too late.
            page.run("window.choice.click()")
        page.click_text(".menu-item", "Trash")
        page.wait_text(".trash .title", "Deleted")
        check(call(host, "ListItems", {}).get("items", []) == [], "an item was added to the default list")
        check(names() == before, f"the lists are {names()}")
        page.check_no_errors()


def silent(host):
    """A server that no longer answers: the page shows its copy, and loads everything once the server answers again."""
    with browser() as page:
        open_page(page, host)
        quick_add(page, "Kept")
        wait("a copy", lambda: stored_titles(page) == ["Kept"])
        wait("the files", lambda: page.run("return navigator.serviceWorker.controller !== null || location.reload()"))
        host.process.send_signal(signal.SIGSTOP)
        page.open(host.url)
        wait("the copy", lambda: page.section("todo") == ["Kept"])
        host.process.send_signal(signal.SIGCONT)
        wait("the list", lambda: page.texts("#connection") == [""], timeout=30)
        page.type("#quick-add", "Walk tomorrow")
        page.wait_text("#reading", "tomorrow")


def silent_list(host):
    """A server that no longer answers when the user goes to another list: the page says so, and shows the list once it answers."""
    home = str(uuid.uuid4())
    call(host, "todo.v1.ListService/CreateList", {"id": home, "name": "Home"})
    call(host, "AddItem", {"item": {"id": str(uuid.uuid4()), "title": "There"}, "list": home})
    with browser() as page:
        open_page(page, host)
        wait("the lists", lambda: "Home" in "".join(page.texts(".menu-list")))
        # A watch without messages ends after half a second instead of a minute.
        page.run(
            "const real = window.setTimeout;"
            "window.setTimeout = (work, time, ...more) => real(work, time === 60000 ? 500 : time, ...more);"
        )
        host.process.send_signal(signal.SIGSTOP)
        page.click_text(".menu-list .menu-item", "Home")
        page.wait_text("#connection", "unreachable")
        host.process.send_signal(signal.SIGCONT)
        wait("the list", lambda: page.section("todo") == ["There"], timeout=30)
        wait("a live connection", lambda: page.texts("#connection") == [""], timeout=30)


def two_browsers(host):
    """Two browsers see each other's changes within 200 ms, also after the server was killed."""
    with browser() as one, browser() as two:
        for page in (one, two):
            open_page(page, host)
        quick_add(one, "Shared")
        wait("the same item", lambda: two.section("todo") == ["Shared"])
        check_both(one, two, "Shared")
        host.kill()
        wait("both know", lambda: all("unreachable" in "".join(p.texts("#connection")) for p in (one, two)))
        host.start()
        for page in (one, two):
            wait("both are back", lambda page=page: page.texts("#connection") == [""])
        check_both(two, one, "Shared")
        quick_add(one, "After the crash")
        wait("the other one", lambda: "After the crash" in (two.section("todo") or []))


def check_both(one, two, title):
    """Checks and unchecks an item in one browser, and measures when the other one shows it."""
    times = []
    for _ in range(3):
        two.run(
            "window.seen = null; new MutationObserver((_, observer) => {"
            f" const r = {row(title)}; const is = r?.querySelector('.check').getAttribute('aria-checked');"
            " if (is && is !== window.was) { window.seen = performance.timeOrigin + performance.now(); observer.disconnect(); }"
            "}).observe(document.querySelector('#app'), { subtree: true, childList: true, attributes: true });"
            f"window.was = {row(title)}.querySelector('.check').getAttribute('aria-checked');"
        )
        start = one.run(
            f"const at = performance.timeOrigin + performance.now(); {row(title)}.querySelector('.check').click(); return at;"
        )
        times.append(wait("the change", lambda: two.run("return window.seen")) - start)
        state = f"return {row(title)}?.querySelector('.check').getAttribute('aria-checked')"
        wait("both agree", lambda: one.run(state) == two.run(state))
    print(f"  seen after {', '.join(f'{t:.0f} ms' for t in times)}")
    check(sorted(times)[1] <= 200, f"a change is seen after {sorted(times)[1]:.0f} ms")


def markup(host):
    """Text of items and lists never becomes markup."""
    create = "todo.v1.ListService/CreateList"
    identifier = str(uuid.uuid4())
    call(host, create, {"id": identifier, "name": EVIL.replace("/", "")[:60]})
    for target in (identifier, "default"):
        item = {
            "id": str(uuid.uuid4()),
            "title": EVIL,
            "description": EVIL,
            "steps": [{"text": EVIL}],
            "location": {"name": EVIL, "address": EVIL, "coordinate": {"latitude": 48.1, "longitude": 11.6}},
            "tags": ["imgsrcx"],
            "dueDate": {"year": 2026, "month": 5, "day": 1},
        }
        call(host, "AddItem", {"item": item, "list": target})
        edited = {"id": item["id"], "title": EVIL, "description": EVIL + "4", "location": {"name": EVIL + "5"}}
        call(host, "UpdateItem", {"item": edited, "list": target, "updateMask": "description,location.name"})
    deleted = add(host, EVIL + "2")
    call(host, "DeleteItem", {"id": deleted["id"]})
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: EVIL in page.texts(".row .title"))
        for step in ["quick add", "search", "Enter", "e", "Cancel", "m", "list", "trash", "L", "list name", "delete"]:
            look(page, step)
            check_no_markup(page, step)
        page.check_no_errors()


def check_no_markup(page, where):
    found = page.run("return [window.hacked, document.querySelectorAll('#app img, #app script, #app iframe').length]")
    check(found == [None, 0], f"markup after {where}: {found}")


def shared_markup(host):
    """Text of another user never becomes markup: the list of an invitation, its items, and who changed them."""
    ann, ben = signed_up(host, "ann", "ben")
    identifier = str(uuid.uuid4())
    for method, request in (
        ("CreateList", {"id": identifier, "name": EVIL.replace("/", "")[:60]}),
        ("ShareList", {"id": identifier, "user": "ben", "role": "LIST_ROLE_EDITOR"}),
    ):
        call(host, f"todo.v1.ListService/{method}", request, ann)
    call(host, "AddItem", {"item": {"id": str(uuid.uuid4()), "title": EVIL}, "list": identifier}, ann)
    with browser() as page:
        sign_in(page, host, ben)
        page.wait_text(".invitation", "<img")
        check_no_markup(page, "an invitation")
        page.click_text(".invitation button", "Accept")
        page.wait_text(".list-title", "<img")
        wait("the item", lambda: page.section("todo") == [EVIL])
        click_row(page, EVIL)
        page.click(".history summary")
        page.wait_text(".history", "ann")
        check_no_markup(page, "an accepted list")


def signed_up(host, *names):
    """Adds users, and returns a token of each."""
    for name in names:
        host.administer("user", "add", name)
    return [host.administer("token", "add", name).split()[-1] for name in names]


def sign_in(page, host, token):
    page.open(host.url)
    page.type("#token", token)
    page.press(ENTER)
    page.find("#quick-add")


def look(page, step):
    """Shows another part of the page, which contains the evil text."""
    if step == "quick add":
        page.type("#quick-add", f"{EVIL} tomorrow @{EVIL}")
        page.wait_text(".quick-marks", "<img")
        page.wait_text("#reading", "<img")
        page.run("document.activeElement.blur()")
    elif step == "search":
        page.press("/")
        page.type("#search", EVIL)
        wait("the found item", lambda: page.texts(".row .title") == [EVIL])
        page.press(ESCAPE)
    elif step == "Enter":
        click_row(page, EVIL)
        page.click(".history summary")
        wait("both texts", lambda: sum("<img" in text for text in page.texts(".history .change")) == 2)
    elif step == "e":
        page.press("e")
        page.find("#form-title-field")
    elif step == "Cancel":
        page.click("[aria-label='Cancel']")
        page.find(".panel-back")
    elif step == "m":
        page.run("document.querySelector('.place-map').click()")
        page.wait_text(".nearest .title", EVIL)
    elif step == "list":
        page.press(ESCAPE)
        wait("the list", lambda: EVIL in page.texts(".row .title"))
    elif step == "trash":
        page.run("document.activeElement.blur()")
        page.press("t")
        page.wait_text(".trash .title", EVIL + "2")
        page.press(ESCAPE)
    elif step == "L":
        page.run("document.activeElement.blur()")
        page.press("L")
        page.wait_text("dialog .choice", "<img")
    elif step == "list name":
        page.click_text("dialog .choice", "<img")
        page.wait_text(".list-title", "<img")
        wait("the other list", lambda: EVIL in page.texts(".row .title"))
    else:
        click_row(page, EVIL, ".check")
        page.wait_text(".notice", "Checked")


def revoked(host):
    """Signing in with a token, and a token that is revoked: the page says so within a second."""
    (token,) = signed_up(host, "ann")
    with browser() as page:
        page.open(host.url)
        page.type("#token", "todo_0000000000000000_" + "0" * 64)
        page.press(ENTER)
        page.wait_text("#sign-in-problem", "doesn't accept")
        page.type("#token", token)
        page.press(ENTER)
        page.find("#quick-add")
        quick_add(page, "Secret")
        page.open(host.url)
        wait("the session stays", lambda: page.section("todo") == ["Secret"])
        check("todo_" not in (page.run("return document.cookie") or ""), "a script can read the session")
        cookie = next(c for c in page.driver.get_cookies() if c["name"] == "todo-session")
        check(cookie["httpOnly"] and cookie.get("sameSite") == "Strict", f"the cookie is {cookie}")
        wait("a copy", lambda: stored_titles(page) == ["Secret"])
        host.administer("token", "revoke", token.split("_")[1])
        start = time.monotonic()
        page.wait_text("#sign-in-problem", "Your access has ended")
        passed = time.monotonic() - start
        print(f"  said after {passed:.2f} s")
        check(passed < 1, "the page says it late")
        check("Secret" not in page.run("return document.body.textContent"), "the list is still there")
        wait("no copy", lambda: stored_titles(page) is None)


def sign_in_link(host):
    """A link signs in once, leaves no trace in the address or the history, and changes nobody's session."""
    tokens = dict(zip(("ann", "ben"), signed_up(host, "ann", "ben"), strict=True))

    def link(name):
        return host.url.rstrip("/") + call(host, "todo.v1.SignInService/CreateSignInLink", {}, tokens[name])["path"]

    first = link("ann")
    with browser() as page:
        page.open(first)
        page.find("#quick-add")
        check("#" not in page.run("return location.href"), "the secret is in the address")
        quick_add(page, "Secret")
        page.open(host.url)
        wait("the session stays", lambda: page.section("todo") == ["Secret"])
        # Somebody is signed in, so a link of another user is not used.
        other = link("ben")
        page.open(other)
        page.wait_text(".notice", "signed in already")
        wait("the session stays", lambda: page.section("todo") == ["Secret"])
        page.click_text("button", "Sign out ann")
        page.find("#token")
        page.driver.back()
        check("#" not in page.run("return location.href"), "the secret is in the history")
    with browser() as page:
        page.open(first)
        page.wait_text("#sign-in-problem", "expired, or was used already")
        # In a window that shows the page.
        page.run(f"location.hash = {other.split('#')[1]!r}")
        page.find("#quick-add")
        check("#" not in page.run("return location.href"), "the secret is in the address")


def windows(host):
    """Signing out in one of two windows: the other shows and stores nothing. Without the server, it fails, and the page says so."""
    (token,) = signed_up(host, "ann")
    with browser() as page:
        sign_in(page, host, token)
        quick_add(page, "Secret")
        wait("a copy", lambda: stored_titles(page) == ["Secret"])
        first = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.open(host.url)
        page.find("#quick-add")
        host.kill()
        page.click_text("button", "Sign out ann")
        page.wait_text(".notice", "Signing out failed")
        host.start()
        page.click_text("button", "Sign out ann")
        page.find("#token")
        page.driver.switch_to.window(first)
        page.find("#token")
        check("Secret" not in page.run("return document.body.textContent"), "the list is still there")
        wait("no copy", lambda: stored_titles(page) is None)
        page.open(host.url)
        page.find("#token")


def sharing(host):
    """A user invites another one to a list, who accepts it and sees its items."""
    tokens = signed_up(host, "ann", "ben")
    with browser() as ann, browser() as ben:
        for page, token in zip((ann, ben), tokens, strict=True):
            sign_in(page, host, token)
        ann.click_text(".menu-item", "New list")
        ann.type("#dialog-field", "Trip")
        ann.press(ENTER)
        ann.wait_text(".list-title", "Trip")
        quick_add(ann, "Tent")
        ann.click("[aria-label='Share the list']")
        ann.type("#dialog-field", "nobody")
        ann.press(ENTER)
        ann.wait_text(".notice", "no user with this name")
        ann.click("[aria-label='Share the list']")
        ann.type("#dialog-field", "ben")
        ann.click_text("dialog .choice", "Let them view")
        wait("the invitation is stored", lambda: "ben" in share_text(ann))
        ben.open(host.url)
        ben.wait_text(".invitation", "ann shares “Trip” with you")
        ben.click_text(".invitation button", "Accept")
        ben.wait_text(".list-title", "Trip")
        wait("the item", lambda: ben.section("todo") == ["Tent"])
        ben.wait_text(".hint", "only view")
        ann.click("[aria-label='Share the list']")
        ann.click_text("dialog .choice", "Stop sharing with ben")
        ben.wait_text(".notice", "stopped sharing")
        wait("the default list", lambda: ben.texts(".list-title") == ["Inbox"])


def share_text(page):
    """Returns whom the dialog says that the list is shared with."""
    page.click("[aria-label='Share the list']")
    page.find("dialog #dialog-field")
    text = "".join(page.texts("dialog p"))
    page.press(ESCAPE)
    wait("no dialog", lambda: not page.texts("dialog"))
    return text


def offline(host):
    """Without a server, the page shows the last state, and says so."""
    add(host, "Kept")
    with browser() as page:
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Kept"])
        page.run("return navigator.serviceWorker.ready.then(() => true)")
        page.open(host.url)
        wait("a copy", lambda: stored_titles(page) == ["Kept"])
        host.kill()
        page.open(host.url)
        page.wait_text("#connection", "Offline")
        check(page.section("todo") == ["Kept"], "the item is gone")
        host.start()
        wait("live again", lambda: page.texts("#connection") == [""], timeout=15)
        quick_add(page, "Later")


def touch(host):
    """On a phone, a tap opens and checks items, and two fingers zoom the map as far as its button does."""
    add(host, "Here", location={"name": "Marienplatz", "coordinate": {"latitude": 48.137, "longitude": 11.575}})
    with browser(390, 844) as page:
        page.command("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=2)
        open_page(page, host)
        wait("the item", lambda: page.section("todo") == ["Here"])
        tap(page, ".row .check")
        wait("done", lambda: page.section("done") == ["Here"])
        tap(page, ".row .check")
        wait("no longer done", lambda: page.section("todo") == ["Here"])
        tap(page, ".row-main")
        page.wait_text("#panel-title", "Here")
        tap(page, ".panel-back")
        tap(page, "[aria-label='Show the items on a map']")
        drawing = (
            "const c = document.querySelector('#map'); if (!c?.width) return null;"
            "return [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data].filter((_, i) => i % 4 !== 3).join();"
        )
        page.find("#map")
        settled(page, drawing)
        tap(page, "[aria-label='Show all items']")
        whole = settled(page, drawing)
        tap(page, "[aria-label='Zoom in']")
        zoomed = settled(page, drawing, whole)
        tap(page, "[aria-label='Show all items']")
        settled(page, drawing, zoomed)
        pinch(page, "#map", 100, 160)
        pinched = settled(page, drawing, whole)
        off, moved = differing(pinched, zoomed), differing(pinched, whole)
        check(off * 5 < moved, f"{off:.2%} of the map differ from what the button shows, {moved:.2%} from the map before")
        tap(page, "#map")
        page.wait_text("#panel-title", "Here")
        page.command("Emulation.setTouchEmulationEnabled", enabled=False)


def settled(page, script, before=None):
    """Returns what a script returns twice in a row, other than before."""
    last = []

    def is_settled():
        last.append(page.run(script))
        return last[-1] if last[-1] and len(last) > 1 and last[-1] == last[-2] != before else None

    return wait("the drawing", is_settled)


def differing(one, two):
    """Returns how much of two drawings differs by more than shades."""
    one, two = ([int(value) for value in drawing.split(",")] for drawing in (one, two))
    return sum(abs(a - b) > 40 for a, b in zip(one, two, strict=True)) / len(one)


def middle(page, selector):
    page.find(selector)
    script = "const { x, y, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();"
    return page.run(f"{script} return [x + width / 2, y + height / 2]", selector)


def tap(page, selector):
    x, y = middle(page, selector)
    page.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def pinch(page, selector, start, end):
    """Moves two fingers apart, from one distance to another in pixels."""
    x, y = middle(page, selector)
    fingers = lambda distance: [{"x": x, "y": y - distance / 2, "id": 0}, {"x": x, "y": y + distance / 2, "id": 1}]
    page.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=fingers(start))
    for step in range(1, 7):
        page.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=fingers(start + (end - start) * step / 6))
    page.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def installable(host):
    """The browser may install the page: its manifest has no error, and nothing is missing."""
    with browser() as page:
        open_page(page, host)
        manifest = page.command("Page.getAppManifest")
        check(manifest["errors"] == [] and manifest["url"].endswith("/manifest.webmanifest"), f"the manifest: {manifest}")
        errors = lambda: page.command("Page.getInstallabilityErrors")["installabilityErrors"]
        wait(f"installable: {errors()}", lambda: errors() == [])


def stored_titles(page):
    """Returns the titles of the copy that the page has stored; None without a copy."""
    return page.run(
        "return (async () => { if (!(await indexedDB.databases()).length) return null;"
        " return new Promise((done) => { const open = indexedDB.open('todo'); open.onsuccess = () => {"
        " const copy = open.result.transaction('copies').objectStore('copies').get('last');"
        " copy.onsuccess = () => { open.result.close(); done(copy.result?.items.map((i) => i.title) ?? null); }; }; }); })()"
    )


def accessible(host):
    """axe-core finds no violation on any screen, in light, in dark, at phone width."""
    axe = pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).with_name("axe.min.js").read_text()
    add(
        host,
        "Overdue one",
        dueDate={"year": 2026, "month": 1, "day": 1},
        tags=["a", "b"],
        priority="PRIORITY_HIGH",
        description="Note",
        location={"name": "Here", "coordinate": {"latitude": 48.1, "longitude": 11.6}},
        steps=[{"text": "Step"}, {"text": "Other", "done": True}],
        repetition={"recurrenceRule": "FREQ=YEARLY", "timeZone": "Europe/Berlin"},
    )
    call(host, "CheckItem", {"id": add(host, "Done one")["id"]})
    call(host, "DeleteItem", {"id": add(host, "Deleted")["id"]})
    screens = {
        "list": lambda page: page.find(".row"),
        "search": lambda page: (page.press("/"), page.find("#search")),
        "filter": lambda page: (page.press(ESCAPE), page.run("document.querySelector('[aria-label=Filter]').click()"), page.find("#filter")),
        "item": lambda page: (click_row(page, "Overdue one"), page.find(".history")),
        "form": lambda page: (page.click("[aria-label='Edit']"), page.find("#form-title-field")),
        "question": lambda page: (
            page.type("#form-title-field", "Other"),
            page.click(".form [type=submit]"),
            page.find("dialog .choice"),
        ),
        "map": lambda page: (leave_form(page), page.click(".place-map"), page.find(".nearest")),
        "trash": lambda page: (page.run("document.activeElement.blur()"), page.press("t"), page.find(".trash")),
        "keys": lambda page: (page.run("document.activeElement.blur()"), page.press("?"), page.find("dialog kbd")),
        "messages": lambda page: (page.press(ESCAPE), page.press(CONTROL + "g"), page.find("dialog p, .messages li")),
    }
    windows = (("light", 1280, False), ("dark", 1280, True), ("phone", 390, False))
    with browser() as page:
        for name, width, dark in windows:
            page.resize(width, 844, dark)
            open_page(page, host)
            page.run(axe + ";return true")
            for screen, show in screens.items():
                show(page)
                check_accessible(page, f"{name} {screen}")
    # The first user makes everybody sign in.
    host.administer("user", "add", "ann")
    with browser() as page:
        for name, width, dark in windows:
            page.resize(width, 844, dark)
            page.open(host.url)
            page.find("#token")
            page.run(axe + ";return true")
            check_accessible(page, f"{name} sign-in")
            page.type("#token", "todo_0000000000000000_" + "0" * 64)
            page.press(ENTER)
            page.wait_text("#sign-in-problem", "doesn't accept")
            check_accessible(page, f"{name} refused sign-in")


def leave_form(page):
    """Leaves a question about the changes of a form, and discards them."""
    page.press(ESCAPE)
    wait("no dialog", lambda: not page.texts("dialog"))
    page.click("[aria-label='Cancel']")
    page.click_text("dialog .choice", "Discard")


def check_accessible(page, where):
    script = (
        "const done = arguments[0]; axe.run({ resultTypes: ['violations'] }).then((r) => done(r.violations.map((v) =>"
        " `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target + ' ' + (n.any[0]?.message ?? '')).join('; ')}`)));"
    )
    violations = page.driver.execute_async_script(script)
    check(violations == [], f"{where}: {violations}")


def widths(host):
    """Nothing is wider than the window, from 320 to 2,560 pixels."""
    long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 3
    add(host, long, tags=["a" * 100], location={"name": long}, description=long.replace(" ", ""))
    with browser() as page:
        open_page(page, host)
        for width in (320, 390, 700, 768, 1024, 1280, 1920, 2560):
            page.resize(width, 800)
            check_width(page, width, "list")
            click_row(page, long)
            page.find(".panel .fields")
            check_width(page, width, "item")
            page.click("[aria-label='Edit']")
            page.find(".form")
            check_width(page, width, "form")
            page.click("[aria-label='Cancel']")
            page.click(".panel-back")
            wait("the list", lambda: not page.texts(".panel"))


def check_width(page, width, where):
    wide = page.run(
        "return ['html', '.main', '#rows', '.panel'].map((s) => document.querySelector(s))"
        ".filter((e) => e && e.scrollWidth > e.clientWidth)"
        ".map((e) => `${e.className || e.tagName} has ${e.scrollWidth} of ${e.clientWidth}`)"
    )
    check(wide == [], f"{where} in a window of {width} pixels: {wide}")


def first_content(host):
    """The first items are there 100 ms after the request with 1,000 items, 250 ms with 10,000: the best of some loads.

    The browser has none of the page's files. The bounds grow with the slowness of the machine.
    """
    count = 0
    with browser() as page:
        slowness = SLOWNESS * machine_slowness(page)
        page.command("Network.enable")
        page.command("Network.setBypassServiceWorker", bypass=True)
        for total, limit in ((1000, 100), (10_000, 250)):
            while count < total:
                call(
                    host,
                    "BatchAddItems",
                    {
                        "items": [
                            {
                                "id": str(uuid.uuid4()),
                                "title": f"Item {count + n}",
                                "dueDate": {"year": 2027, "month": n % 12 + 1, "day": n % 28 + 1},
                            }
                            for n in range(500)
                        ]
                    },
                )
                count += 500
            times = [first_items(page, host) for _ in range(6)]
            bound = limit * slowness
            print(f"  {total} items: {', '.join(f'{t:.0f}' for t in times)} ms, at most {bound:.0f}")
            check(min(times) <= bound, f"the first of {total} items are there after {min(times):.0f} ms, not {bound:.0f}")
            page.wait_text(".count", f"{total:,}", timeout=30)
        page.command("Network.setBypassServiceWorker", bypass=False)


# How many milliseconds the work of machine_slowness takes on a machine for which the bounds are meant.
NORMAL_WORK = 1.0


def machine_slowness(page):
    """Returns by which factor this machine computes more slowly than a normal one, at least 1: the best of many short attempts."""
    page.open("about:blank")
    best = page.run(
        "const work = () => {"
        "  const start = performance.now(), rows = [];"
        "  for (let i = 0, x = 1; i < 5000; i += 1) {"
        "    x = (Math.imul(x ^ (x >>> 15), 2246822519) + i) | 0; rows.push({ id: String(x), x }); }"
        "  rows.sort((a, b) => a.x - b.x);"
        "  return performance.now() - start; };"
        "return Math.min(...Array.from({ length: 100 }, work));"
    )
    print(f"  a fixed computation takes {best:.2f} ms, on a normal machine {NORMAL_WORK:.2f}")
    return max(1, best / NORMAL_WORK)


def first_items(page, host):
    """Returns the time from the request to the first items in the window, in milliseconds, without any cache."""
    page.command("Network.clearBrowserCache")
    page.open(host.url)
    mark = "return performance.getEntriesByName('first-items')[0]?.startTime"
    found = wait("the first items", lambda: page.run(mark), timeout=30)
    script = page.run(
        "const { transferSize, workerStart } = performance.getEntriesByName(`${location.origin}/app.js`)[0];"
        "return { transferSize, workerStart };"
    )
    check(script["transferSize"] > 0 and script["workerStart"] == 0, f"the browser has not requested the page: {script}")
    return found


JOURNEYS = [
    book, reading, other_list, gone_list, keys, more_keys, occurrences, one_or_all, lost_responses, interfering, following, unknown_zone, waiting,
    questions, discarding, two_browsers, markup, shared_markup, revoked, sign_in_link, windows, sharing, offline, silent, silent_list, touch,
    installable, accessible, widths, first_content,
]


def main(names):
    failed = []
    for journey in [j for j in JOURNEYS if not names or j.__name__ in names]:
        start = time.monotonic()
        try:
            with server(*LIMITS) as host:
                journey(host)
            print(f"{journey.__name__}: passed in {time.monotonic() - start:.1f} s", flush=True)
        except Exception as error:
            failed.append(journey.__name__)
            print(f"{journey.__name__}: FAILED after {time.monotonic() - start:.1f} s: {error}", flush=True)
            traceback.print_exc(limit=-4)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
