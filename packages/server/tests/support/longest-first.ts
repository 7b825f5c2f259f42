import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files. They start first, so that no worker starts one of them at the end. */
const longest = [
  "contract.test.ts",
  "workers.test.ts",
  "durability.test.ts",
  "container-exports-durability.test.ts",
  "container-exports.test.ts",
  "container-exports-files.test.ts",
  "users-query.test.ts",
  "users-seed.test.ts",
  "downloads-import.test.ts",
  "store-plans.test.ts",
  "store-large-filters.test.ts",
  "store-filters.test.ts",
  "store-model.test.ts",
];

/** Starts the longest files first. Vitest does this itself only if it has run them before. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = longest.indexOf(basename(moduleId));
      return index === -1 ? longest.length : index;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer has a method of this name
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => place(left) - place(right));
  }
}
