import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { OperationId } from "../../src/index.ts";
import type { Examples, World } from "./example.ts";

const exclusions = filters["ss-ioa-exclusions"];
const exclusionsV1 = filters["ioa-exclusions"];
const like = (members: object): unknown => expect.objectContaining(members);

const backup = {
  name: "Backup",
  pattern_id: "41005",
  ifn_regex: String.raw`.*\\backup\.exe`,
  cl_regex: ".*--nightly",
} as const;

const backupV1 = {
  ...backup,
  pattern_name: "Shadow copies touched by an unusual program",
} as const;

const backupProcess = {
  aid: "1".repeat(32),
  image_file_name: String.raw`\Device\HarddiskVolume2\backup.exe`,
  command_line: "backup --nightly",
  parent_image_file_name: "",
  parent_command_line: "",
  grandparent_image_file_name: "",
  grandparent_command_line: "",
} as const;

/** An exclusion for every host; returns its id. */
async function newExclusion({ client }: World): Promise<string> {
  const { data } = await client.ioaExclusions.createExclusionsV2({
    body: { exclusions: [{ ...backup, host_groups: ["all"] }] },
  });
  return data[0]?.id ?? "";
}

export const ioaExclusionsExamples = {
  createIOAExclusionsV1: () => ({
    input: { body: { ...backupV1, groups: ["all"], comment: "new" } },
    expected: [like({ ...backupV1, groups: [], applied_globally: true })],
  }),
  deleteIOAExclusionsV1: async (world) => {
    const id = await newExclusion(world);
    return { input: { ids: [id], comment: "old" }, expected: [id] };
  },
  getIOAExclusionsV1: async (world) => {
    const id = await newExclusion(world);
    return { input: { ids: [id] }, expected: [like({ id, ...backupV1 })] };
  },
  queryIOAExclusionsV1: async (world) => {
    const id = await newExclusion(world);
    return {
      input: {
        filter: exclusionsV1.where("applied_globally").equals(true),
        cl_regex: backup.cl_regex,
        sort: ["created_on.desc"],
      },
      expected: [id],
    };
  },
  updateIOAExclusionsV1: async (world) => {
    const id = await newExclusion(world);
    return {
      input: { body: { id, groups: [] } },
      expected: [like({ id, ...backupV1, applied_globally: false })],
    };
  },
  "ss-ioa-exclusions.aggregates.v2": async (world) => {
    await newExclusion(world);
    return {
      input: {
        ifn_regex: backup.ifn_regex,
        body: { name: "patterns", type: "terms", field: "pattern_id" },
      },
      expected: [like({ name: "patterns", buckets: [like({ label: "41005", count: 1 })] })],
    };
  },
  "ss-ioa-exclusions.create.v2": () => ({
    input: { body: { exclusions: [{ ...backup, comment: "new", parent_cl_regex: "init" }] } },
    expected: [like({ ...backupV1, comment: "new", parent_cl_regex: "init", host_groups: [] })],
  }),
  "ss-ioa-exclusions.delete.v2": async (world) => {
    const id = await newExclusion(world);
    return { input: { ids: [id] }, expected: [like({ id, ...backup })] };
  },
  "ss-ioa-exclusions.get-reports.v2": async (world) => {
    await newExclusion(world);
    return {
      input: {
        body: {
          report_format: "csv",
          search: { filter: exclusions.where("name").equals("Backup"), sort: ["name.asc"] },
        },
      },
      expected: like({ resources: [like({ row_count: 1, content_type: "text/csv" })], errors: [] }),
    };
  },
  "ss-ioa-exclusions.get.v2": async (world) => {
    const id = await newExclusion(world);
    return { input: { ids: [id] }, expected: [like({ id, ...backup })] };
  },
  "ss-ioa-exclusions.matched-rule.v2": async (world) => {
    const id = await newExclusion(world);
    return {
      input: { body: { ...backupProcess, pattern_ids: ["41005"] } },
      expected: [like({ id, name: "Backup" })],
    };
  },
  "ss-ioa-exclusions.new-rules.v2": () => ({
    input: { body: backupProcess },
    expected: {
      ...backupProcess,
      ifn_regex: String.raw`\\Device\\HarddiskVolume\d+\\backup\.exe`,
      cl_regex: "backup --nightly",
      host_groups: [],
    },
  }),
  "ss-ioa-exclusions.search.v2": async (world) => {
    const id = await newExclusion(world);
    return {
      input: {
        filter: exclusions.where("pattern_id").equals("41005"),
        cl_regex: backup.cl_regex,
        sort: ["last_modified.desc", "name"],
        limit: 500,
      },
      expected: [id],
    };
  },
  "ss-ioa-exclusions.update.v2": async (world) => {
    const id = await newExclusion(world);
    return {
      input: { body: { exclusions: [{ id, cl_regex: ".*--weekly", comment: "weekly now" }] } },
      expected: [like({ id, cl_regex: ".*--weekly", comment: "weekly now" })],
    };
  },
} satisfies Partial<Examples<OperationId>>;
