/** @module-tag exhaustive */
/** CONTRIBUTING says what a kind of record takes, and how to add one. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { checkKind, documentedCost } from "./kind/check-kind.ts";

const root = resolve(import.meta.dirname, "..");

test(
  "a kind that is added as CONTRIBUTING says passes all checks, with the documented number of lines",
  { tags: ["nightly"] },
  () => {
    expect(checkKind(root)).toEqual(documentedCost(root));
  },
);
