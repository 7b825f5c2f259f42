/** Every operation that the server implements, in both forms, against it. */
import { unimplementedOperations } from "@security-platform/server";
import { operations } from "@security-platform/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  filters,
  ServerError,
  type Answer,
  type Client,
  type Input,
  type OperationId,
} from "../src/index.ts";
import { operationTable } from "../src/generated/operations.ts";
import {
  deviceId,
  processId,
  seenDomain,
  startLiveServer,
  type LiveServer,
} from "./support/live-server.ts";

type Implemented = Exclude<OperationId, (typeof unimplementedOperations)[number]>;

const unimplemented = new Set<OperationId>(unimplementedOperations);
const implemented = operations()
  .map(({ id }) => id)
  .filter((id): id is Implemented => !unimplemented.has(id));

interface Known {
  /** An indicator that exists. */
  readonly id: string;
  readonly credentials: { readonly client_id: string; readonly client_secret: string };
}

interface Example<Id extends OperationId> {
  readonly input: Input<Id>;
  readonly expected: unknown;
}

const f = filters.indicators;
const newIndicator = {
  type: "domain",
  value: "new.example.com",
  platforms: ["linux"],
  action: "detect",
  severity: "low",
  applied_globally: true,
} as const;
const seen = { type: "domain", value: seenDomain } as const;
const anything: unknown = expect.anything();
const listWith = (member: string): unknown => expect.arrayContaining([member]);
const theKnown = (changes: object = {}): unknown => [
  expect.objectContaining({ type: "domain", value: seenDomain, ...changes }),
];

/** One call of each: an operation that is missing here does not compile. */
const examples: { readonly [Id in Implemented]: (known: Known) => Example<Id> } = {
  "action.get.v1": () => ({
    input: { query: { ids: ["detect"] } },
    expected: [expect.objectContaining({ id: "detect" })],
  }),
  "action.query.v1": () => ({
    input: { query: { limit: 2, offset: "0" } },
    expected: [anything, anything],
  }),
  GetIndicatorsReport: () => ({
    input: {
      body: {
        report_format: "json",
        search: { filter: f.where("type").equals("domain"), sort: ["value.asc"] },
      },
    },
    expected: expect.objectContaining({ row_count: 1, content_type: "application/json" }),
  }),
  "indicator.aggregate.v1": () => ({
    input: {
      query: { filter: f.where("expired").equals(false) },
      body: { name: "types", type: "terms", field: "type" },
    },
    expected: [
      expect.objectContaining({
        name: "types",
        buckets: [expect.objectContaining({ label: "domain", count: 1 })],
      }),
    ],
  }),
  "indicator.combined.v1": () => ({
    input: { query: { filter: f.where("value").equals(seenDomain), sort: ["type.asc", "value"] } },
    expected: theKnown(),
  }),
  "indicator.create.v1": () => ({
    input: {
      query: { ignore_warnings: true, retrodetects: false },
      body: { indicators: [newIndicator], comment: "new" },
    },
    expected: [expect.objectContaining(newIndicator)],
  }),
  "indicator.delete.v1": ({ id }) => ({
    input: { query: { ids: [id], comment: "old" } },
    expected: [id],
  }),
  "indicator.get.device_count.v1": () => ({
    input: { query: seen },
    expected: [{ ...seen, device_count: 1, limit_exceeded: false }],
  }),
  "indicator.get.devices_ran_on.v1": () => ({ input: { query: seen }, expected: [deviceId] }),
  "indicator.get.processes_ran_on.v1": () => ({
    input: { query: { ...seen, device_id: deviceId } },
    expected: [processId],
  }),
  "indicator.get.v1": ({ id }) => ({ input: { query: { ids: [id] } }, expected: theKnown({ id }) }),
  "indicator.sdmf-query.v1": () => ({
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
  }),
  "indicator.search.v1": ({ id }) => ({
    input: { query: { filter: "type:'domain'", limit: 1 } },
    expected: [id],
  }),
  "indicator.update.v1": () => ({
    input: {
      body: { bulk_update: { filter: f.where("type").equals("domain"), severity: "high" } },
    },
    expected: theKnown({ severity: "high" }),
  }),
  "ioc_type.query.v1": () => ({ input: {}, expected: listWith("sha256") }),
  oauth2AccessToken: ({ credentials }) => ({
    input: { body: { ...credentials, scope: "ioc-management:read" } },
    expected: expect.objectContaining({ token_type: "bearer", scope: "ioc-management:read" }),
  }),
  oauth2RevokeToken: () => ({
    input: { body: { token: "unknown" } },
    expected: expect.objectContaining({ errors: [] }),
  }),
  "platform.query.v1": () => ({ input: {}, expected: listWith("windows") }),
  "severity.query.v1": () => ({ input: {}, expected: listWith("critical") }),
};

/** A client of a new tenant, which has one indicator. */
async function prepare(server: LiveServer): Promise<{ client: Client; known: Known }> {
  const credentials = await server.newCredentials({ tenant: await server.newTenant() });
  const client = await server.connect(credentials);
  const { data } = await client.ioc.createIndicators({
    body: { indicators: [{ ...newIndicator, value: seenDomain }] },
  });
  const { clientId: client_id, clientSecret: client_secret } = credentials;
  return { client, known: { id: data[0]?.id ?? "", credentials: { client_id, client_secret } } };
}

type AnyMethod = (input: object) => Promise<Answer<OperationId>>;

function readableMethod(client: Client, id: OperationId): AnyMethod {
  const { collection, name } = operationTable[id];
  return (client[collection] as unknown as Readonly<Record<string, AnyMethod>>)[name] as AnyMethod;
}

const flat = ({ query, ...rest }: { readonly query?: object | undefined }): object => ({
  ...query,
  ...rest,
});

describe.each([
  ["the default representation", false],
  ["a server that answers with Envelopes alone", true],
])("in %s", (_, envelope) => {
  let server: LiveServer;
  let finish: () => Promise<void>;
  beforeAll(async () => {
    server = await startLiveServer({ envelope }, {}, (cleanUp) => (finish = cleanUp));
  });
  afterAll(() => finish());

  describe.each(implemented.map((id) => [id]))("%s", (id) => {
    it.each([["by id"], ["by name"]])("%s", async (form) => {
      const { client, known } = await prepare(server);
      const { input, expected } = examples[id](known);
      const answer =
        form === "by id"
          ? client.call(id, input as Input<typeof id>)
          : readableMethod(client, id)(flat(input));
      const { data, page, response } = await answer;
      expect(data).toEqual(expected);
      expect(response.status).toBe(operationTable[id].successStatus);
      expect(response.traceId).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.rateLimit?.limit).toBeGreaterThan(0);
      if (operationTable[id].paging === "none") expect(page).toBeUndefined();
      else expect(page?.limit).toBeGreaterThan(0);
    });
  });
});

describe("an operation that the server does not implement yet", () => {
  it("is refused with 501 in both forms", async () => {
    const server = await startLiveServer();
    const client = await server.connect();
    const calls = [client.userManagement.listUserIds(), client.call("queryUserV1")];
    for (const call of calls) {
      const error: unknown = await call.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({ status: 501, operationId: "queryUserV1" });
    }
  });
});
