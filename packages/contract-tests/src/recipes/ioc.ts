import type { JsonObject } from "../requests/request.ts";
import { identifier, sha256Of } from "./identifiers.ts";
import { recordsIn, type CollectionRecipe, type Subject } from "./recipe.ts";

/** Three kinds in turn; every third has neither file name, severity nor expiration. */
function indicator(namespace: string, index: number) {
  const base = { platforms: ["windows", "linux"], tags: [namespace], applied_globally: true };
  switch (index % 3) {
    case 0:
      return {
        ...base,
        type: "sha256",
        value: sha256Of(namespace, index),
        action: "prevent",
        severity: index % 2 === 0 ? "high" : "low",
        source: `feed-${index % 4}`,
        expiration: `203${index % 10}-01-01T00:00:00Z`,
        metadata: { filename: `${namespace}-${index}.exe` },
      };
    case 1:
      return {
        ...base,
        type: "domain",
        value: `${namespace}-${index}.example.com`,
        action: "detect",
        severity: "medium",
        platforms: ["mac"],
        description: `Number ${index} of ${namespace}`,
        source: "feed-1",
      };
    default:
      return { ...base, type: "md5", value: identifier(namespace, index), action: "allow" };
  }
}

const tagged = (namespace: string): string => `tags:'${namespace}'`;

/** Type and value of an execution to look for. */
const lookup = ({ records: [execution] }: Subject): Record<string, string> =>
  execution === undefined ? {} : { type: "sha256", value: String(execution["sha256"]) };

export const ioc: CollectionRecipe = {
  resources: {
    indicators: {
      idField: "id",
      phantom: (namespace, number) => ({
        ...indicator(namespace, number),
        id: sha256Of("phantom", namespace, number),
      }),
      lifecycle: {
        create: "indicator.create.v1",
        input: indicator,
        createRequest: (indicators) => ({ body: { indicators } }),
        filter: tagged,
        get: "indicator.get.v1",
        remove: "indicator.delete.v1",
        removed: { deleted: true },
        change: {
          operation: "indicator.update.v1",
          request: (records) => ({
            body: { indicators: records.map(({ id }) => ({ id, source: "changed" })) },
          }),
          changed: { source: "changed" },
          fixed: [
            "type",
            "value",
            "mobile_action",
            "applied_globally",
            "host_groups",
            "from_parent",
          ],
          values: { severity: ["low", "critical"] },
          follows: ["severity_number", "expired"],
        },
      },
    },
    executions: {
      idField: "id",
      phantom: (namespace, number) => ({
        id: `pid:${identifier(namespace, number)}:${1_000 + number}`,
        device_id: identifier(namespace, number),
        sha256: sha256Of(namespace, number),
      }),
      lifecycle: null,
      find: async ({ read }) => {
        const body = {
          id: "executions",
          res_id: "some",
          nodes: [
            { id: "all", res_id: "all", operator: { type: "source", resource: "executions" } },
            { id: "some", res_id: "some", operator: { type: "limit", input: "all", limit: 50 } },
          ],
        };
        const rows = await read("indicator.sdmf-query.v1", { body });
        const isUsable = ({ sha256, device_id }: JsonObject): boolean =>
          typeof sha256 === "string" && typeof device_id === "string";
        return recordsIn(rows).filter(isUsable);
      },
    },
  },
  operations: {
    "indicator.get.v1": { resource: "indicators", effect: "none" },
    "indicator.create.v1": { resource: "indicators", effect: "create" },
    "indicator.update.v1": {
      resource: "indicators",
      effect: "change",
      more: {
        "by filter": ({ namespace }) => ({
          body: { bulk_update: { filter: tagged(namespace), source: "changed" } },
        }),
      },
    },
    "indicator.delete.v1": {
      resource: "indicators",
      effect: "remove",
      more: {
        "by filter": ({ namespace }) => ({
          query: { filter: tagged(namespace), comment: "contract tests" },
        }),
      },
    },
    "indicator.aggregate.v1": { resource: "indicators", effect: "none" },
    GetIndicatorsReport: {
      resource: "indicators",
      effect: "none",
      request: ({ namespace }) => ({
        body: { report_format: "json", filter: tagged(namespace), sort: "value" },
      }),
      more: {
        "with search": ({ namespace }) => ({
          body: { report_format: "csv", search: { filter: tagged(namespace), sort: "value.desc" } },
        }),
      },
    },
    "indicator.sdmf-query.v1": {
      resource: "indicators",
      effect: "none",
      request: (subject) => ({
        body: {
          id: "records",
          res_id: "found",
          nodes: [
            { id: "all", res_id: "all", operator: { type: "source", resource: "indicators" } },
            {
              id: "found",
              res_id: "found",
              operator: { type: "filter", input: "all", filter: tagged(subject.namespace) },
            },
          ],
        },
      }),
    },
    "indicator.get.device_count.v1": {
      resource: "executions",
      effect: "none",
      request: (subject) => ({ query: lookup(subject) }),
    },
    "indicator.get.devices_ran_on.v1": {
      resource: "executions",
      effect: "none",
      request: (subject) => ({ query: lookup(subject) }),
    },
    "indicator.get.processes_ran_on.v1": {
      resource: "executions",
      effect: "none",
      request: (subject) => ({
        query: {
          ...lookup(subject),
          ...(subject.records[0] === undefined
            ? {}
            : { device_id: String(subject.records[0]["device_id"]) }),
        },
      }),
    },
    "action.get.v1": {
      resource: null,
      effect: "none",
      more: { "by id": () => ({ query: { ids: ["detect", "allow"] } }) },
      answers: { 404: () => ({ query: { ids: ["detect", "no_such_action"] } }) },
    },
    "action.query.v1": { resource: null, effect: "none" },
    "ioc_type.query.v1": { resource: null, effect: "none" },
    "platform.query.v1": { resource: null, effect: "none" },
    "severity.query.v1": { resource: null, effect: "none" },
  },
};
