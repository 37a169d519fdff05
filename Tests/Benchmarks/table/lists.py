"""How long programs for the terminal take to list the same 1,000 items."""

import contextlib
import json
import os
import shutil

from . import programs

COUNT, STARTS = 1_000, 9


def measure(bench):
    """The median of some starts of each program, which take turns. A program that is not installed has no figure."""
    with bench.folder() as folder:
        data = f"{folder}/data/todo"
        os.makedirs(data, mode=0o700)
        with programs.Server(bench.server_program, data) as server:
            bench.load.fill(server, COUNT)
        home = {
            **programs.ENVIRONMENT,
            "HOME": folder,
            "XDG_DATA_HOME": f"{folder}/data",
            "XDG_CONFIG_HOME": f"{folder}/config",
            "XDG_CACHE_HOME": f"{folder}/cache",
            "TERM": "dumb",
        }
        commands = {"todo": [bench.todo, "list"]}
        items = json.loads(programs.output(bench.todo, "list", "--json", env=home))["items"]
        if shutil.which("task"):
            commands["taskwarrior"] = taskwarrior(folder, items, home)
        if shutil.which("todoman"):
            commands["todoman"] = todoman(folder, items)
        times = {name: [] for name in commands}
        before = os.sched_getaffinity(0)
        with contextlib.ExitStack() as stack, bench.alone():
            stack.callback(os.sched_setaffinity, 0, before)
            os.sched_setaffinity(0, {0})
            for _ in range(STARTS):
                for name, command in commands.items():
                    times[name].append(programs.start_time(command, home))
        return {name: sorted(values)[STARTS // 2] for name, values in times.items()}


def taskwarrior(folder, items, environment):
    settings, file = f"{folder}/taskrc", f"{folder}/tasks.json"
    with open(settings, "w") as output:
        output.write(f"data.location={folder}/tasks\nconfirmation=off\n")
    os.mkdir(f"{folder}/tasks")
    compact = lambda time: time[:19].replace("-", "").replace(":", "") + "Z"
    with open(file, "w") as output:
        json.dump(
            [
                {
                    "uuid": item["id"],
                    "description": item["title"],
                    "status": "pending",
                    "entry": compact(item["createTime"]),
                    **({"due": compact(item["dueTime"])} if item["dueTime"] else {}),
                    "annotations": [{"entry": compact(item["createTime"]), "description": item["note"]}],
                }
                for item in items
            ],
            output,
        )
    programs.output("task", f"rc:{settings}", "import", file, env=environment)
    return ["task", f"rc:{settings}", "list"]


def todoman(folder, items):
    os.makedirs(f"{folder}/calendars/list")
    compact = lambda time: time[:19].replace("-", "").replace(":", "") + "Z"
    for item in items:
        lines = [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "PRODID:benchmark",
            "BEGIN:VTODO",
            f"UID:{item['id']}",
            f"SUMMARY:{item['title']}",
            f"DTSTAMP:{compact(item['createTime'])}",
            f"DESCRIPTION:{item['note']}".replace(",", "\\,"),
            *([f"DUE:{compact(item['dueTime'])}"] if item["dueTime"] else []),
            f"LOCATION:{item['location']['name']}",
            "END:VTODO",
            "END:VCALENDAR",
            "",
        ]
        with open(f"{folder}/calendars/list/{item['id']}.ics", "w", newline="") as output:
            output.write("\r\n".join(lines))
    settings = f"{folder}/todoman.py"
    with open(settings, "w") as output:
        output.write(f'path = "{folder}/calendars/*"\ncache_path = "{folder}/todoman.sqlite"\n')
    return ["todoman", "--config", settings, "list"]
