import { compareCodePoints } from "@security-platform/fql";
import { runs } from "@security-platform/fql/arbitraries";
import { array, assert, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { versionOrder } from "./version-order.ts";

const inOrder = (versions: readonly string[]): readonly string[] =>
  versions.toSorted((left, right) => compareCodePoints(versionOrder(left), versionOrder(right)));

test.each([
  [["1.9.0", "1.10.0"]],
  [["1.4", "1.4.0", "1.4.0.1", "1.4.1"]],
  [["1.4.0-alpha", "1.4.0-alpha.1", "1.4.0-beta.2", "1.4.0-beta.11", "1.4.0-rc.1", "1.4.0"]],
  [["1.4.0~rc1", "1.4.0", "1.4.0+build.2", "1.4.0+build.10"]],
  [["7.11-2", "7.11-10", "7.11", "7.11.16507"]],
  [["v1.9", "v1.10"]],
  [["1.0.2", "1.0.2a", "1.0.2b"]],
  [["2026.9.30", "2026.10.1"]],
  [["0", "1", "99999999999999999998", "99999999999999999999", "100000000000000000000"]],
  [["1.0", "1.00"]],
])("%j is in order", (versions) => {
  expect(inOrder(versions.toReversed())).toEqual(versions);
});

test("numeric versions sort as numbers", () => {
  const parts = array(nat(2_000), { minLength: 3, maxLength: 3 });
  assert(
    property(parts, parts, (left, right) => {
      const at = left.findIndex((value, index) => value !== right[index]);
      const expected = at < 0 ? 0 : Math.sign((left[at] ?? 0) - (right[at] ?? 0));
      const order = compareCodePoints(versionOrder(left.join(".")), versionOrder(right.join(".")));
      expect(Math.sign(order)).toBe(expected);
    }),
    { numRuns: runs() },
  );
});
