import { expect } from "vitest";
import { filters } from "../../src/index.ts";
import type { OperationId } from "../../src/index.ts";
import { deviceId } from "../support/live-server.ts";
import type { Examples, World } from "./example.ts";

const f = filters.indicators;
const seenDomain = "seen.example.com";
const processId = `pid:${deviceId}:1`;
const newIndicator = {
  type: "domain",
  value: "new.example.com",
  platforms: ["linux"],
  action: "detect",
  severity: "low",
  applied_globally: true,
} as const;
const seenValue = { type: "domain", value: seenDomain } as const;
const anything: unknown = expect.anything();
const listWith = (member: string): unknown => expect.arrayContaining([member]);
const theKnown = (changes: object = {}): unknown => [
  expect.objectContaining({ type: "domain", value: seenDomain, ...changes }),
];

/** A process of the tenant that used the domain. */
const importExecution = ({ server, tenant }: World): Promise<void> =>
  server.importRecords(tenant, "executions", [
    {
      id: processId,
      device_id: deviceId,
      started_on: "2026-02-01T00:00:00Z",
      domains: [seenDomain],
    },
  ]);

/** An indicator of the domain; returns its id. */
async function seenIndicator({ client }: World): Promise<string> {
  const { data } = await client.ioc.createIndicators({
    body: { indicators: [{ ...newIndicator, value: seenDomain }] },
  });
  return data[0]?.id ?? "";
}

export const iocExamples = {
  "action.get.v1": () => ({
    input: { ids: ["detect"] },
    expected: [expect.objectContaining({ id: "detect" })],
  }),
  "action.query.v1": () => ({
    input: { limit: 2, offset: "0" },
    expected: [anything, anything],
  }),
  GetIndicatorsReport: async (world) => {
    await seenIndicator(world);
    return {
      input: {
        body: {
          report_format: "json",
          search: { filter: f.where("type").equals("domain"), sort: ["value.asc"] },
        },
      },
      expected: expect.objectContaining({ row_count: 1, content_type: "application/json" }),
    };
  },
  "indicator.aggregate.v1": async (world) => {
    await seenIndicator(world);
    return {
      input: {
        filter: f.where("expired").equals(false),
        body: { name: "types", type: "terms", field: "type" },
      },
      expected: [
        expect.objectContaining({
          name: "types",
          buckets: [expect.objectContaining({ label: "domain", count: 1 })],
        }),
      ],
    };
  },
  "indicator.combined.v1": async (world) => {
    await seenIndicator(world);
    return {
      input: {
        filter: f.where("value").equals(seenDomain),
        sort: ["type.asc", "value"],
      },
      expected: theKnown(),
    };
  },
  "indicator.create.v1": () => ({
    input: {
      ignore_warnings: true,
      retrodetects: false,
      body: { indicators: [newIndicator], comment: "new" },
    },
    expected: [expect.objectContaining(newIndicator)],
  }),
  "indicator.delete.v1": async (world) => {
    const id = await seenIndicator(world);
    return { input: { ids: [id], comment: "old" }, expected: [id] };
  },
  "indicator.get.device_count.v1": async (world) => {
    await importExecution(world);
    return {
      input: { ...seenValue },
      expected: [{ ...seenValue, device_count: 1, limit_exceeded: false }],
    };
  },
  "indicator.get.devices_ran_on.v1": async (world) => {
    await importExecution(world);
    return { input: { ...seenValue }, expected: [deviceId] };
  },
  "indicator.get.processes_ran_on.v1": async (world) => {
    await importExecution(world);
    return { input: { ...seenValue, device_id: deviceId }, expected: [processId] };
  },
  "indicator.get.v1": async (world) => {
    const id = await seenIndicator(world);
    return { input: { ids: [id] }, expected: theKnown({ id }) };
  },
  "indicator.sdmf-query.v1": async (world) => {
    await seenIndicator(world);
    return {
      input: {
        body: {
          id: "domains",
          res_id: "sorted",
          nodes: [
            { id: "all", res_id: "all", operator: { type: "source", resource: "indicators" } },
            {
              id: "live",
              res_id: "live",
              operator: { type: "filter", input: "all", filter: f.where("type").equals("domain") },
            },
            {
              id: "sorted",
              res_id: "sorted",
              operator: { type: "sort", input: "live", sort: ["value.desc", "type"] },
            },
          ],
        },
      },
      expected: theKnown(),
    };
  },
  "indicator.search.v1": async (world) => {
    const id = await seenIndicator(world);
    return { input: { filter: "type:'domain'", limit: 1 }, expected: [id] };
  },
  "indicator.update.v1": async (world) => {
    await seenIndicator(world);
    return {
      input: {
        body: { bulk_update: { filter: f.where("type").equals("domain"), severity: "high" } },
      },
      expected: theKnown({ severity: "high" }),
    };
  },
  "ioc_type.query.v1": () => ({ input: {}, expected: listWith("sha256") }),
  "platform.query.v1": () => ({ input: {}, expected: listWith("windows") }),
  "severity.query.v1": () => ({ input: {}, expected: listWith("critical") }),
} satisfies Partial<Examples<OperationId>>;
