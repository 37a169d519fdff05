import sys
import types
import unittest

import fixtures

sys.path.insert(0, str(fixtures.ROOT / "Tests" / "Faults"))
from measurement import NORMAL_MILLISECONDS, Measurement, machine_slowness, transaction


class MeasurementTests(unittest.TestCase):
    """Whether the first round of an attack suffices, and whether it shows harm."""

    def expect(self, quiet, attacked, is_clear=False, harm=(), replies=("ok",), mebibytes=0, failures=None, slowness=1,
               name="get", transaction=0, **attributes):
        attack = types.SimpleNamespace(**{
            "floor": 20, "ratio": 5, "mebibytes": 384, "is_ended": False, "is_repeated": False, "harmful": (), "required": (),
            **attributes})
        measurement = Measurement(attack, slowness, transaction)
        measurement.quiet, measurement.attacked = {name: quiet}, {name: attacked}
        measurement.replies.update(replies)
        measurement.failures.update(failures or {})
        measurement.base, measurement.peak = 1024, 1024 + 1024 * mebibytes
        self.assertEqual(measurement.is_clear(), is_clear)
        measurement.judge()
        self.assertEqual(measurement.harm, list(harm))

    def test_times_below_half_of_the_floor_are_clear(self):
        self.expect([1.0] * 100, [10.0] * 100, is_clear=True)

    def test_times_between_half_of_the_floor_and_the_floor_are_not_clear(self):
        self.expect([1.0] * 100, [10.1] * 100)

    def test_one_slow_call_of_a_hundred_is_not_clear(self):
        self.expect([1.0] * 100, [1.0] * 99 + [19.0])

    def test_times_below_half_of_the_ratio_are_clear(self):
        self.expect([10.0] * 100, [25.0] * 100, is_clear=True)
        self.expect([10.0] * 100, [26.0] * 100)

    def test_times_above_half_of_the_limit_are_not_clear(self):
        self.expect([40.0] * 100, [50.0] * 100, is_clear=True)
        self.expect([40.0] * 100, [51.0] * 100)
        self.expect([40.0] * 100, [101.0] * 100, harm=["get p99 is 101.0 ms"])

    def test_harmful_times_are_not_clear(self):
        self.expect(
            [1.0] * 100, [21.0] * 100, harm=["get p50 1.0 ms becomes 21.0 ms", "get p99 1.0 ms becomes 21.0 ms"])

    def test_slower_builds_have_higher_limits(self):
        self.expect([1.0] * 100, [100.0] * 100, is_clear=True, slowness=10)
        self.expect([1.0] * 100, [101.0] * 100, slowness=10)

    def test_others_may_wait_for_one_transaction(self):
        self.expect([1.0] * 100, [90.0] * 100, transaction=60)
        self.expect([1.0] * 99 + [50.0], [1.0] * 99 + [91.0], harm=[], transaction=60)
        self.expect([1.0] * 100, [1.0] * 99 + [91.0], harm=["get p99 1.0 ms becomes 91.0 ms"], transaction=60)

    def test_slowness_of_a_machine_follows_its_best_transaction(self):
        self.assertEqual(machine_slowness([9 * NORMAL_MILLISECONDS, 2 * NORMAL_MILLISECONDS]), 2)
        self.assertEqual(machine_slowness([NORMAL_MILLISECONDS / 2]), 1)
        self.assertGreater(transaction(), 0)

    def test_geocoding_has_a_limit_of_its_own(self):
        self.expect([1000.0] * 10, [2500.0] * 10, is_clear=True, name="geocode")
        self.expect([1000.0] * 10, [2600.0] * 10, name="geocode")

    def test_operation_without_times_is_not_clear(self):
        self.expect([1.0], [])
        self.expect([], [1.0])
        self.expect([], [])

    def test_failure_is_not_clear(self):
        self.expect([1.0], [1.0], failures={"get fails: UNAVAILABLE": 1}, harm=["get fails: UNAVAILABLE, 1 times"])

    def test_growth_above_half_of_its_limit_is_not_clear(self):
        self.expect([1.0], [1.0], mebibytes=192, is_clear=True)
        self.expect([1.0], [1.0], mebibytes=193)
        self.expect([1.0], [1.0], mebibytes=385, harm=["the server takes 385 MiB"])

    def test_missing_reply_is_not_clear(self):
        self.expect([1.0], [1.0], required=("ok",), is_clear=True)
        self.expect([1.0], [1.0], required=("rejected",))

    def test_attack_that_is_always_repeated_is_not_clear(self):
        self.expect([1.0], [1.0], is_repeated=True)


if __name__ == "__main__":
    unittest.main()
