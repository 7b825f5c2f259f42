/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Effort } from "../src/effort.ts";
import { gate } from "../src/gate.ts";
import { isObject, type JsonObject } from "../src/json.ts";
import { CannotJudge } from "../src/read/cannot-judge.ts";
import { documentOf } from "../src/read/load-document.ts";
import { parseText } from "../src/read/parse.ts";
import { reports } from "../src/report/formats.ts";
import { reportOf } from "../src/report/model.ts";
import { testDay } from "../src/testing/documents.ts";
import { real } from "./corpus/document.ts";
import { edited, Random, reordered } from "./fuzz/edits.ts";

/**
 * Edits of real documents that know their structure. `FUZZ_SECONDS` is the processor time to use, and
 * `FUZZ_DOCUMENTS` a list of further documents, separated by colons. `FUZZ_SEED` repeats a run.
 */
const seconds = Number(process.env["FUZZ_SECONDS"] ?? 0);
const seed = Number(process.env["FUZZ_SEED"] ?? 20261128);
const fewest = 60;

const documents: readonly JsonObject[] = [
  real.root,
  ...(process.env["FUZZ_DOCUMENTS"] ?? "")
    .split(":")
    .filter((name) => name !== "")
    .map((name) => parseText(readFileSync(name, "utf8"), name))
    .filter(isObject),
];

/** More than any edit needs: what takes longer hangs. */
const limit = 60;

async function judged(before: JsonObject, after: JsonObject) {
  // Reading inserts the targets of some references, which may then contain themselves.
  const copied = (root: JsonObject) => structuredClone(root) as JsonObject;
  try {
    const base = documentOf(copied(before), "a.json");
    const judgement = await gate(base, documentOf(copied(after), "b.json"), {
      today: testDay,
      folder: process.cwd(),
      effort: new Effort(limit),
    });
    return { judgement, refusal: undefined };
  } catch (error) {
    if (!(error instanceof CannotJudge)) throw error;
    return { judgement: undefined, refusal: error.message };
  }
}

/** What is wrong with the judgement on an edit; undefined if it keeps the laws. */
async function fault(before: JsonObject, after: JsonObject): Promise<string | undefined> {
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    const { judgement, refusal } = await judged(one, other);
    if (refusal?.includes("within") === true) return `hangs: ${refusal}`;
    if (judgement === undefined) continue;
    const report = reportOf(judgement);
    for (const [format, write] of Object.entries(reports)) {
      if (write(report) === "") return `an empty report as ${format}`;
    }
  }
  const same = await judged(after, reordered(after) as JsonObject);
  const { verdict, changes = [] } = same.judgement ?? {};
  return verdict === undefined || verdict === "none"
    ? undefined
    : `reordered: ${verdict} (${changes.map(({ rule, message }) => `${rule}: ${message}`).join("; ")})`;
}

// `FUZZ_SECONDS` is time of the processor; a busy machine gives a test only a part of it.
const timeout = 300_000 + seconds * 10_000;

test(
  "edits of real documents neither crash nor hang the gate, and keep its laws",
  { timeout },
  async () => {
    const faults: string[] = [];
    const used = (): number => process.cpuUsage().user / 1_000_000;
    const start = used();
    let count = 0;
    for (; faults.length < 5 && (count < fewest || used() - start < seconds); count += 1) {
      const random = new Random(seed + count);
      const root = random.pick(documents) ?? real.root;
      const { root: after, names } = edited(root, random);
      const found = await fault(root, after).catch(
        (error: unknown) => `crash: ${error instanceof Error ? error.stack : String(error)}`,
      );
      if (found !== undefined)
        faults.push(`FUZZ_SEED=${seed + count} ${names.join(", ")}: ${found}`);
    }
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(fewest);
  },
);
