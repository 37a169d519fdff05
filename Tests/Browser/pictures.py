#!/usr/bin/env python3
"""Takes the pictures of the page in pictures/: the list, an item and the map, on a desktop and on a phone."""

import datetime
import subprocess
import uuid

from browsers import ROOT, browser, check, server, wait
from journeys import call, click_row, open_page

TARGET = ROOT / "Tests/Browser/pictures"
LIMIT = 60_000
MUNICH = {"latitude": 48.13743, "longitude": 11.57549}


def items():
    """Returns items around today, so that every section has some."""

    def day(offset):
        date = datetime.date.today() + datetime.timedelta(days=offset)
        return {"dueDate": {"year": date.year, "month": date.month, "day": date.day}}

    yield "Return the library books", {**day(-1), "tags": ["errands"], "priority": "PRIORITY_HIGH"}
    yield "Call the plumber about the kitchen tap", day(0)
    yield "Buy oat milk", {**day(1), "location": {"name": "Corner shop"}, "tags": ["errands"]}
    yield "Visit the Alte Pinakothek", {
        **day(2),
        "location": {"name": "Alte Pinakothek", "address": "Barer Str. 27, München", "coordinate": MUNICH},
        "description": "The room with the Dürers is closed on Mondays. Jonas wants to see the Altdorfer, too.",
        "steps": [{"text": "Reserve tickets", "done": True}, {"text": "Ask Jonas"}, {"text": "Look at the Dürers"}],
    }
    yield "Water the plants", {**day(3), "repetition": {"afterDone": {"count": 3, "unit": "FREQUENCY_DAILY"}}, "tags": ["home"]}
    yield "Dinner with Ada", {
        **day(5),
        "location": {"name": "Rossi", "coordinate": {"latitude": 47.37, "longitude": 8.54}},
        "priority": "PRIORITY_MEDIUM",
    }
    yield "Renew the passport", {**day(60), "priority": "PRIORITY_LOW", "tags": ["paperwork"]}
    yield "Plan the summer in Trieste", {
        "location": {"name": "Trieste", "coordinate": {"latitude": 45.65, "longitude": 13.77}},
        "tags": ["travel"],
    }
    yield "Read “The Machine Stops”", {}


def main():
    TARGET.mkdir(exist_ok=True)
    with server() as host, browser() as page:
        for title, fields in items():
            call(host, "AddItem", {"item": {"id": str(uuid.uuid4()), "title": title, **fields}})
        for title in ("Pay the rent", "Repair the bike"):
            item = call(host, "AddItem", {"item": {"id": str(uuid.uuid4()), "title": title}})["item"]
            call(host, "CheckItem", {"id": item["id"]})
        for name in ("Work", "Summer"):
            call(
                host,
                "todo.v1.ListService/CreateList",
                {"id": str(uuid.uuid4()), "name": name, "color": "LIST_COLOR_BLUE" if name == "Work" else "LIST_COLOR_ORANGE"},
            )
        for kind, width, height, dark in (("desktop", 1280, 800, False), ("phone", 390, 844, True)):
            page.resize(width, height, dark)
            open_page(page, host)
            wait("all items", lambda: len(page.texts(".row")) > 8)
            save(page, f"list-{kind}")
            click_row(page, "Visit the Alte Pinakothek")
            page.find(".place-map canvas")
            page.find(".history")
            save(page, f"item-{kind}")
            page.run("document.querySelector('.panel-back').click()")
            page.click("[aria-label='Show the items on a map']")
            page.find(".nearest-item")
            save(page, f"map-{kind}")


def save(page, name):
    """Saves a picture in few colors, which need few bytes."""
    wait(
        "the world",
        lambda: page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"),
    )
    page.run("document.activeElement?.blur()")
    path = TARGET / f"{name}.png"
    page.save(path)
    subprocess.run(["pngquant", "--force", "--strip", "--quality", "60-95", "--output", str(path), str(path)], check=True)
    check(path.stat().st_size <= LIMIT, f"{path.name} has {path.stat().st_size} bytes")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
