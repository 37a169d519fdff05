"""What the section about peers says of given figures, and what is read from h2load."""

import pathlib
import tempfile
import unittest

from table import peers, peers_report
from table.programs import Failed

H2LOAD = """
finished in 1.00s, 20480.00 req/s, 3.1MB/s
requests: 20480 total, 20736 started, 20480 done, 20480 succeeded, 0 failed, 0 errored, 0 timeout
status codes: 20480 2xx, 0 3xx, 0 4xx, 0 5xx
traffic: 3.50MB (3670016) total, 120.00KB (122880) headers (space savings 95.00%), 3.01MB (3153920) data
"""


def results(**rows):
    return {
        "date": "2026-11-27",
        "machine": {"processors": "2 x CPU", "memory": "8 GiB"},
        "versions": {"Swift": "6.3.1", "redis": "7.0"},
        "rounds": 3,
        "seconds": 1,
        "missing": {},
        "disturbed": {},
        "rows": rows,
    }


def rounds(**figures):
    return [dict(zip(figures, values)) for values in zip(*figures.values())]


class SectionTests(unittest.TestCase):
    def line(self, text, work):
        return next(line for line in text if line.startswith(f"| {work}"))

    def test_ratio_whenSpeedVaries_isMedianOfRounds(self):
        own, floor = rounds(rate=[10, 40, 90]), rounds(rate=[20, 40, 30])
        self.assertEqual(peers_report.ratio(own, floor, "rate"), 1)

    def test_comparison_whenPeerIsMissing_hasEmptyCells(self):
        row = {"floor": rounds(p50=[10.0]), "todo-server": rounds(p50=[15.0])}
        text = list(peers_report.lines(results(**{"get-1x1": row})))
        self.assertEqual(
            self.line(text, "GetItem 1x1"),
            "| GetItem 1x1, Unix socket, both on one core | p50, µs | 10.0 |  |  | 15.0 | 1.50 |  |  |",
        )

    def test_protocols_haveRatiosToGRPCGo_andTtrpc(self):
        http = {
            "grpc-go": rounds(server=[20.0], rate=[50_000.0]),
            "Connect with JSON": rounds(server=[30.0], rate=[30_000.0]),
        }
        own = {"todo-server": rounds(server=[5.0], rate=[200_000.0])}
        text = list(peers_report.lines(results(**{"http": http, "get-16x16": own})))
        self.assertEqual(self.line(text, "Connect with JSON"), "| Connect with JSON | 30.0 | 30,000 | 1.50 |")
        self.assertEqual(self.line(text, "ttrpc"), "| ttrpc | 5.00 | 200,000 | 0.25 |")

    def test_lines_nameWhatIsMissing(self):
        measured = {**results(), "missing": {"redis": "is not installed"}}
        self.assertIn("Not measured: redis (is not installed).", list(peers_report.lines(measured)))

    def test_write_replacesOnlyTheSection(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "REPORT.md")
            path.write_text("# Results\n\n## The table\n\n## Where the time goes\n\nText.\n")
            peers_report.write(path, "first")
            peers_report.write(path, "second")
            text = path.read_text()
        self.assertEqual(
            text,
            f"# Results\n\n## The table\n\n## Beside peers\n\n{peers_report.BEGIN}\nsecond\n{peers_report.END}\n\n"
            "## Where the time goes\n\nText.\n",
        )


class H2LoadTests(unittest.TestCase):
    def test_parse_whenAllSucceed_returnsRate(self):
        self.assertEqual(peers.parse_h2load(H2LOAD), 20480)

    def test_parse_whenRequestsFail_fails(self):
        with self.assertRaises(Failed):
            peers.parse_h2load(H2LOAD.replace("0 failed", "3 failed").replace("20480 succeeded", "20477 succeeded"))

    def test_parse_whenResponsesHaveNoItem_fails(self):
        with self.assertRaises(Failed):
            peers.parse_h2load(H2LOAD.replace("(3153920) data", "(0) data"))

    def test_parse_whenTextIsUnknown_fails(self):
        with self.assertRaises(Failed):
            peers.parse_h2load("could not connect")


if __name__ == "__main__":
    unittest.main()
