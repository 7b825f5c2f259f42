import { expect, test } from "vitest";
import { Progress, progressLine } from "./progress.ts";

test("draws a bar where the whole is known", () => {
  expect(progressLine("importing", 1_000, 0.5, 2)).toBe(
    "importing ████████████░░░░░░░░░░░░  50%  1,000  500/s, 2 s left",
  );
});

test("counts where it is not", () => {
  expect(progressLine("importing", 1_500, null, 3)).toBe("importing 1,500  500/s");
});

test("stays within the bar when there is more than expected", () => {
  expect(progressLine("importing", 10, 1.2, 1)).toContain(`${"█".repeat(24)} 100%`);
});

test("writes nothing where standard error is no terminal", () => {
  const written: string[] = [];
  const progress = new Progress({ isTTY: false, write: (text) => written.push(text) }, "importing");
  progress.update(1, 0.5);
  progress.end();
  expect(written).toEqual([]);
});

test("draws on one line of a terminal, and leaves it empty", () => {
  const written: string[] = [];
  const output = { isTTY: true, columns: 20, write: (text: string) => written.push(text) };
  const progress = new Progress(output, "importing");
  progress.update(1, 0.5);
  progress.update(2, 0.6);
  progress.end();
  expect(written).toHaveLength(2);
  expect(written[0]).toHaveLength("\r\u001b[K".length + 19);
  expect(written[1]).toBe("\r\u001b[K");
});
