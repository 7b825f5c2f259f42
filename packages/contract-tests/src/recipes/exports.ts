import { setTimeout } from "node:timers/promises";
import { uuidOf } from "./identifiers.ts";
import { idsIn, recordsIn, type CollectionRecipe, type Finder, type Subject } from "./recipe.ts";

const count = 3;
/** Maximum wait for an export, in seconds. */
const patience = 30;

/** Launches exports and waits until their files exist. */
async function doneExports({ read, write }: Finder) {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const body = { resource: "images.packages", format: number === 0 ? "json" : "csv" };
    ids.push(...idsIn(await write("LaunchExportJob", { body })));
  }
  for (let second = 0; second < patience; second += 1) {
    const exports = recordsIn(await read("ReadExportJobs", { query: { ids } }));
    if (exports.length > 0 && exports.every(({ status }) => status === "DONE")) return exports;
    await setTimeout(1_000);
  }
  return [];
}

const fileOf = ({ namespace, records: [record] }: Subject, headers?: Record<string, string>) => ({
  query: { id: String(record?.["id"] ?? uuidOf("export", namespace, 0)) },
  ...(headers === undefined ? {} : { headers }),
});

/** Exports run in the background, so those with a file are found, not created. */
export const exports: CollectionRecipe = {
  resources: {
    exports: {
      idField: "id",
      phantom: (namespace, number) => ({ id: uuidOf("export", namespace, number) }),
      lifecycle: null,
      find: doneExports,
    },
  },
  operations: {
    LaunchExportJob: { resource: null, effect: "change", restless: ["resources"] },
    ReadExportJobs: { resource: "exports", effect: "none" },
    QueryExportJobs: { resource: "exports", effect: "none" },
    DownloadExportFile: {
      resource: "exports",
      effect: "none",
      single: true,
      otherForm: true,
      request: (subject) => fileOf(subject),
      answers: {
        206: (subject) => fileOf(subject, { range: "bytes=0-0" }),
        304: (subject) => fileOf(subject, { "if-none-match": "*" }),
        416: (subject) => fileOf(subject, { range: "bytes=999999999999-" }),
      },
    },
  },
};
