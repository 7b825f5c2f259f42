/** @module-tag exhaustive */
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSort, type Fields } from "@security-platform/fql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LocalBlobs } from "../../../blobs/local-blobs.ts";
import { sortRows } from "./sort-rows.ts";
import { testWith } from "../../../../../../testing/platform.ts";

const fields: Fields = {
  name: { type: "string", sortable: true },
  score: { type: "number", sortable: true },
};

interface Row {
  readonly id: number;
  readonly name: string;
  readonly score: number | null;
}

const rows = Array.from({ length: 5_003 }, (_, id): Row => {
  const name = `${"é\t\n\u2028🐛"[id % 7] ?? "z"}${(id * 7_919) % 97}`;
  return { id, name, score: id % 11 === 0 ? null : (id * 31) % 13 };
});

async function* batches(size: number): AsyncGenerator<readonly string[]> {
  for (let start = 0; start < rows.length; start += size) {
    yield rows.slice(start, start + size).map((row) => JSON.stringify(row));
  }
}

async function sorted(sort: string, mostCharacters?: number): Promise<readonly Row[]> {
  const sortedRows: Row[] = [];
  const keys = parseSort(sort, fields);
  for await (const texts of sortRows(batches(40), keys, fields, blobs, mostCharacters)) {
    sortedRows.push(...texts.map((text) => JSON.parse(text) as Row));
  }
  return sortedRows;
}

/** Each test has its own folder for temporary files. */
let folder = "";
let blobs: LocalBlobs;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sort-rows-"));
  blobs = new LocalBlobs(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ["in memory", undefined],
  ["in a few files", 100_000],
  ["in many files", 1_000],
])("sorts %s, missing values last, ties in their order", async (_, mostCharacters) => {
  const ascending = await sorted("score.asc", mostCharacters);
  const missing = Number.POSITIVE_INFINITY;
  expect(ascending).toEqual(
    rows.toSorted((left, right) => {
      const [a, b] = [left.score ?? missing, right.score ?? missing];
      return a === b ? left.id - right.id : a - b;
    }),
  );
  const descending = await sorted("score.desc,name", mostCharacters);
  expect(descending.map(({ score }) => score)).toEqual(
    rows.map(({ score }) => score).toSorted((left, right) => (right ?? -1) - (left ?? -1)),
  );
  const ofOneScore = descending.filter(({ score }) => score === 5).map(({ name }) => name);
  const codePoints = (text: string) => [...text].map((each) => each.codePointAt(0) ?? 0);
  expect(ofOneScore).toEqual(
    ofOneScore.toSorted((left, right) => {
      const [a, b] = [codePoints(left), codePoints(right)];
      const at = a.findIndex((point, index) => point !== b[index]);
      return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
    }),
  );
  expect(readdirSync(join(folder, "incoming"))).toEqual([]);
});

const sortedByName = (mostCharacters: number) =>
  sortRows(batches(40), parseSort("name", fields), fields, blobs, mostCharacters);

test("removes its files when the reader stops early", async () => {
  for await (const _ of sortedByName(10_000)) break;
  expect(readdirSync(join(folder, "incoming"))).toEqual([]);
});

/** Descriptors of its files. */
const openFiles = (): number =>
  readdirSync("/proc/self/fd").filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;

testWith("/proc")("opens a limited number of files, and closes them", async () => {
  const rowsOfSorted: number[] = [];
  for await (const texts of sortedByName(1)) {
    rowsOfSorted.push(texts.length);
    expect(openFiles()).toBeLessThanOrEqual(64);
    if (rowsOfSorted.length === 2) break;
  }
  expect(rowsOfSorted).toEqual([2_000, 2_000]);
  await expect.poll(openFiles, { timeout: 60_000 }).toBe(0);
});
