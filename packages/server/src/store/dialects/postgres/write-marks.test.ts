import { expect, test } from "vitest";
import { platformCid } from "../../types/visibility.ts";
import { WriteMarks } from "./write-marks.ts";

const [tenant, other] = ["1".repeat(32), "2".repeat(32)];

test("a reader needs the position at which its tenant's last write was first seen", () => {
  const marks = new WriteMarks(100);
  expect(marks.neededBy(tenant, [tenant])).toBe(100);
  marks.note(tenant, { writes: "7", position: 200 });
  marks.note(other, { writes: "1", position: 300 });
  marks.note(tenant, { writes: "7", position: 400 });
  expect(marks.neededBy(tenant, [tenant])).toBe(200);
  expect(marks.neededBy(other, [other])).toBe(300);
  marks.note(tenant, { writes: "8", position: 500 });
  expect(marks.neededBy(tenant, [tenant])).toBe(500);
});

test("a look-up that ends late changes nothing", () => {
  const marks = new WriteMarks(100);
  marks.note(tenant, { writes: "8", position: 500 });
  marks.note(tenant, { writes: "7", position: 400 });
  expect(marks.neededBy(tenant, [tenant])).toBe(500);
});

test("who reads another tenant's records needs the latest position", () => {
  const marks = new WriteMarks(100);
  marks.note(tenant, { writes: "7", position: 200 });
  marks.note(other, { writes: "1", position: 300 });
  expect(marks.neededBy(tenant, [other])).toBe(300);
  expect(marks.neededBy(tenant, [tenant, platformCid])).toBe(300);
});

test("the header of a page that has no change yet is not needed", () => {
  const page = 8_192;
  const segment = 16 * 2 ** 20;
  for (const [position, needed] of [
    [3 * page + 24, 3 * page],
    [3 * page + 40, 3 * page + 40],
    [segment + 40, segment],
    [segment + 24, segment + 24],
  ] as const) {
    const marks = new WriteMarks(0);
    marks.note(tenant, { writes: "1", position });
    expect(marks.neededBy(tenant, [tenant])).toBe(needed);
  }
});
