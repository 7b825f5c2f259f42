import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files. They start first, so that no worker starts one of them at the end. */
const longest = [
  "contract.test.ts",
  "workers.test.ts",
  "users-seed.test.ts",
  "downloads-import.test.ts",
  "durability.test.ts",
  "case-files-durability.test.ts",
  "mails.test.ts",
  "ioc-bulk.test.ts",
  "ioc-seed.test.ts",
  "cases-many.test.ts",
  "hosts-assignments.test.ts",
  "import-durability.test.ts",
  "container-scans-size.test.ts",
  "container-registries-assess.test.ts",
  "container-registries-durability.test.ts",
  "store-large-filters.test.ts",
  "container-exports-durability.test.ts",
  "jobs-durability.test.ts",
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
