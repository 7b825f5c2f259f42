import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeArtifacts } from "./artifacts.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const { files, surfaces } = await makeArtifacts(root);

test("equal sources give equal bytes: the files of src/generated; after a change run `npm run generate`", () => {
  const folder = new URL("../generated/", import.meta.url);
  const names = Object.keys(files);
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
  const written = (name: string): string => readFileSync(new URL(name, folder), "utf8");
  expect(names.filter((name) => files[name] !== written(name))).toEqual([]);
});

test.each(["surface.txt", "companion-surface.txt"])(
  "spec/%s lists the document's operations; after an intended change run `npm run surface -w @security-platform/spec`",
  (name) => {
    const committed = readFileSync(new URL(`../../../../spec/${name}`, import.meta.url), "utf8");
    expect(surfaces[name]).toBe(committed);
  },
);
