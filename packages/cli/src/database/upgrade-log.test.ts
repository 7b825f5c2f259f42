import { expect, test } from "vitest";
import { upgradeLog } from "./upgrade-log.ts";

test("an upgrade is logged when it begins to change records, and every 50,000 records", () => {
  const lines: unknown[] = [];
  const log = upgradeLog({ info: (details) => lines.push(details) });
  const batch = (resource: string, read: number, changed: number) => {
    const progress = { resource, read, changed, records: 130_000 };
    log(progress);
    return progress;
  };
  batch("small", 2, 0);
  const expected = [];
  for (let read = 500; read <= 130_000; read += 500) {
    const progress = batch("large", read, Math.max(0, read - 1_000));
    if (read === 1_500 || read % 50_000 === 0) expected.push(progress);
  }
  expected.push(batch("other", 2, 1));
  batch("other", 3, 2);
  expect(lines).toEqual(expected);
});
