"""Reminders that a server sends to a webhook while kills interrupt it, for kill.py.

At the end the webhook has received each reminder, and each at most once more than there were kills while it was sent: a server
that is killed between the delivery and the acknowledgment sends the reminder again, after its lease of a minute.
"""

import collections
import http.server
import json
import random
import sys
import threading
import time

from faults import SERVICE, Server, administer, all_items, check_integrity, expect, items_pb2, new_item, ttrpc_channel
from todo.v1 import item_writes_pb2, notifications_pb2

ITEMS = 40
LEASE_SECONDS = 60


class Receiver(http.server.ThreadingHTTPServer):
    """A webhook that takes every message, and counts them by the title of the item."""

    daemon_threads = True

    def __init__(self):
        self.titles, self.lock = collections.Counter(), threading.Lock()
        super().__init__(("127.0.0.1", 0), Request)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def take(self, message):
        with self.lock:
            self.titles[message["data"]["item"]["title"]] += 1


class Request(http.server.BaseHTTPRequestHandler):
    """A request to the webhook."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.01)
        self.server.take(json.loads(body))
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Notifying:
    """A user with a webhook, and items with a reminder each."""

    def __init__(self, folder):
        self.receiver = Receiver()
        self.server = Server(folder, "--notify", "--notify-private")
        administer(self.server.store, "user", "add", "ann")
        self.token = administer(self.server.store, "token", "add", "ann")
        self.titles = []

    def connect(self):
        return ttrpc_channel.Channel(self.server.endpoint, [("authorization", f"Bearer {self.token}")])

    def add_target(self):
        self.server.start()
        channel = self.connect()
        target = notifications_pb2.NewNotificationTarget(
            kind=notifications_pb2.NOTIFICATION_KIND_WEBHOOK,
            url=f"http://127.0.0.1:{self.receiver.server_port}/reminders")
        channel.call(
            "todo.v1.NotificationService/AddNotificationTarget",
            notifications_pb2.AddNotificationTargetRequest(target=target),
            notifications_pb2.AddNotificationTargetResponse, 10)
        channel.close()
        expect(self.server.stop() == 0, "the server does not stop")

    def interrupt(self, cycle):
        """Adds items whose reminders are due, and kills the server while it sends them."""
        self.server.start()
        channel = self.connect()
        items = [new_item(f"Item {number} of {cycle}") for number in range(ITEMS)]
        for item in items:
            reminder = items_pb2.Reminder()
            reminder.time.seconds = int(time.time()) - 1
            item.reminders.append(reminder)
        request = item_writes_pb2.BatchAddItemsRequest(items=items)
        channel.call(SERVICE + "BatchAddItems", request, item_writes_pb2.BatchAddItemsResponse, 10)
        channel.close()
        self.titles += [item.title for item in items]
        time.sleep(random.uniform(0.05, 1))
        self.server.kill()

    def wait_until_told(self):
        """Waits until all reminders are acknowledged and not snoozed."""
        self.server.start()
        channel = self.connect()
        end = time.monotonic() + 2 * LEASE_SECONDS + 30
        while True:
            waiting = [item for item in all_items(channel) if not is_told(item)]
            if not waiting:
                break
            expect(time.monotonic() < end, f"{len(waiting)} reminders are not acknowledged")
            time.sleep(0.5)
        channel.close()
        expect(self.server.stop() == 0, "the server does not stop")

    def run(self, cycles):
        self.add_target()
        for cycle in range(cycles):
            self.interrupt(cycle)
        if "--forgetful" in sys.argv:
            self.acknowledge_all()
        self.wait_until_told()
        check_integrity(self.server.database)
        received = self.receiver.titles
        lost = sum(not received[title] for title in self.titles)
        expect(not lost, f"{lost} reminders of {len(self.titles)} were not sent")
        again = sum(received.values()) - len(self.titles)
        expect(again <= cycles, f"{again} reminders were sent again after {cycles} kills")
        return f"{cycles} kills, {len(self.titles)} reminders sent to a webhook, {again} of them again: none lost"

    def acknowledge_all(self):
        """Acknowledges all reminders, as a server would that does so before it has sent them."""
        self.server.start()
        channel = self.connect()
        for item in all_items(channel):
            item.reminders[0].acknowledged_time.CopyFrom(item.reminders[0].time)
            item.reminders[0].ClearField("snooze_time")
            request = item_writes_pb2.UpdateItemRequest(item=item, update_mask={"paths": ["reminders"]})
            channel.call(SERVICE + "UpdateItem", request, item_writes_pb2.UpdateItemResponse, 10)
        channel.close()
        self.server.kill()


def is_told(item):
    reminder = item.reminders[0]
    return reminder.HasField("acknowledged_time") and not reminder.HasField("snooze_time")
