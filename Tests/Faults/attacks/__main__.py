"""A process that attacks a server; neighbours.py starts one for each attack.

    python -m attacks NAME TTRPC-ENDPOINT GRPC-ENDPOINT HTTP-ENDPOINT SCALE     with the attacker's token in TODO_TOKEN

It fills its list, prints "ready" and how long one of its transactions takes, attacks at each "go" on standard input, and at each "stop" closes its connections and
prints the number of replies of each kind as JSON. It runs at the lowest scheduling priority, so that the victim
measures the server and not the processor time that the attacker's own Python takes.
"""

import json
import os
import sys

from . import ALL
from .connections import Loop


def main():
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    name, *endpoints, scale = sys.argv[1:]
    attack = ALL[name](endpoints, os.environ["TODO_TOKEN"], int(scale))
    attack.prepare()
    print("ready", attack.transaction, flush=True)
    # Not through a buffer, which epoll does not see.
    while os.read(0, 100).strip() == b"go":
        attack.counts.clear()
        Loop(attack.connections(), attack.counts).run()
        if os.read(0, 100).strip() != b"stop":
            break
        print(json.dumps(attack.counts), flush=True)

main()
