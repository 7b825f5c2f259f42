import { expect, test } from "vitest";
import { Progress, progressLine } from "./progress.ts";

test("draws a bar if the total is known", () => {
  expect(progressLine("importing", 1_000, 0.5, 2)).toBe(
    "importing ████████████░░░░░░░░░░░░  50%  1,000  500/s, 2 s left",
  );
});

test("prints a count otherwise", () => {
  expect(progressLine("importing", 1_500, null, 3)).toBe("importing 1,500  500/s");
});

test("counts bytes in their units, and long times in minutes and hours", () => {
  expect(progressLine("uploading", 1_500_000, null, 2, "bytes")).toBe(
    "uploading 1.5 MB  750.0 kB/s",
  );
  expect(progressLine("uploading", 999, 0.5, 300, "bytes")).toMatch(/999 B {2}3 B\/s, 5 min left$/);
  expect(progressLine("uploading", 1, 0.001, 60)).toMatch(/, 17 h left$/);
});

test("stays within the bar if there is more than expected", () => {
  expect(progressLine("importing", 10, 1.2, 1)).toContain(`${"█".repeat(24)} 100%`);
});

test("writes nothing if standard error is not a terminal", () => {
  const output: string[] = [];
  const progress = new Progress(
    { isTTY: false, write: (text) => output.push(String(text)) },
    "importing",
  );
  progress.update(1, 0.5);
  progress.end();
  expect(output).toEqual([]);
});

test("uses a single line of a terminal, and clears it", () => {
  const lines: string[] = [];
  const output = {
    isTTY: true,
    columns: 20,
    write: (text: string | Uint8Array) => lines.push(String(text)),
  };
  const progress = new Progress(output, "importing");
  progress.update(1, 0.5);
  progress.update(2, 0.6);
  progress.end();
  expect(lines).toHaveLength(2);
  expect(lines[0]).toHaveLength("\r\u001b[K".length + 19);
  expect(lines[1]).toBe("\r\u001b[K");
});
