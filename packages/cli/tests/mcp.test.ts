/** @module-tag exhaustive */
/** `secplat mcp`, called by the client of the official SDK over standard input and output. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calledDocument } from "@security-platform/spec";
import { startLiveServer, type LiveServer } from "../../client/tests/support/live-server.ts";
import { secplatArguments } from "../../../testing/secplat.ts";
import { start as startProcess, type Running } from "./support/process.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";

let server: LiveServer;
let finish: () => Promise<void>;

beforeAll(async () => {
  server = await startLiveServer({}, {}, (cleanUp) => (finish = cleanUp));
});
afterAll(() => finish());

interface Assistant {
  /** The result of a tool: its JSON, or the text of an error. */
  call(tool: string, input: object): Promise<unknown>;
  readonly client: Client;
}

/** Starts `secplat mcp` for a new tenant. */
async function start(
  words: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<Assistant> {
  const tenant = await server.newBareTenant();
  const { baseUrl, clientId, clientSecret } = await server.newCredentials({ tenant });
  const folder = temporaryFolder();
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...secplatArguments, "mcp", ...words],
    cwd: folder,
    env: {
      XDG_CONFIG_HOME: folder,
      SECPLAT_URL: baseUrl,
      SECPLAT_CLIENT_ID: clientId,
      SECPLAT_CLIENT_SECRET: clientSecret,
      ...variables,
    },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call: Assistant["call"] = async (name, input) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    const [{ text = "" } = {}] = result.content as readonly { readonly text?: string }[];
    return result.isError === true ? `error: ${text}` : JSON.parse(text);
  };
  return { call, client };
}

const indicators = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    type: "domain",
    value: `${index}.example`,
    action: "detect",
    severity: "high",
    description: "x".repeat(1_000),
    platforms: ["linux"],
    applied_globally: true,
  }));

test("offers four tools, which only read unless writes are allowed", async () => {
  const { client } = await start();
  expect(client.getServerVersion()?.name).toBe("secplat");
  expect(client.getInstructions()).toContain("--allow-writes");
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
    ["search_operations", true],
    ["describe_operation", true],
    ["call_operation", true],
    ["explain_filter", true],
  ]);
  const { client: writing } = await start(["--allow-writes"]);
  const allowed = (await writing.listTools()).tools.find(({ name }) => name === "call_operation");
  expect(allowed?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
});

test("finds and describes operations", async () => {
  const { call } = await start();
  const found = (await call("search_operations", { query: "list prevention policies" })) as {
    readonly operations: readonly { readonly operation: string }[];
    readonly left_out: number;
  };
  expect(found.operations[0]).toEqual({
    operation: "queryCombinedPreventionPolicies",
    summary: "List prevention policies",
    request: "GET /policy/combined/prevention/v1",
    changes_records: false,
  });
  expect(found.operations).toHaveLength(25);
  expect(await call("search_operations", { query: "zzz" })).toEqual({
    operations: [],
    left_out: 0,
  });
  const described = (await call("describe_operation", { operation: "ioc.create-indicators" })) as {
    readonly schemas: object;
  };
  expect(described).toMatchObject({
    operation: "indicator.create.v1",
    request: "POST /iocs/entities/indicators/v1",
    changes_records: true,
    scope: "ioc-management:write",
  });
  expect(Object.keys(described.schemas)).toContain("IndicatorInput");
  const list = await call("describe_operation", { operation: "ioc.list-indicators" });
  expect(list).toMatchObject({ paging: "after" });
  expect(JSON.stringify(list)).toContain('"field":"severity"');
  expect(await call("describe_operation", { operation: "indicator.combined.v2" })).toMatch(
    /^error: there is no operation indicator\.combined\.v2\. Did you mean indicator\.combined\.v1\?$/,
  );
});

test("calls operations, and checks their input before", async () => {
  const { call } = await start(["--allow-writes"]);
  const created = await call("call_operation", {
    operation: "indicator.create.v1",
    body: { indicators: indicators(3) },
    query: "[].value",
  });
  expect(created).toEqual({ data: ["0.example", "1.example", "2.example"] });
  const page = await call("call_operation", {
    operation: "ioc list-indicator-ids",
    parameters: { filter: "severity:'high'", limit: 2 },
  });
  expect(page).toMatchObject({
    data: [expect.any(String), expect.any(String)],
    page: { limit: 2, after: expect.any(String) },
  });
  for (const [input, message] of [
    [{ parameters: { filtr: "" } }, "there is no parameter filtr. Did you mean filter?"],
    [{ parameters: { limit: "2" } }, 'limit: expected an integer, got "2"'],
    [{ body: {} }, "the operation does not accept a body"],
    [{ query: "[" }, "--query: "],
    [{ parameters: { filter: "severty:'high'" } }, "Did you mean 'severity'?"],
  ] as const) {
    expect(await call("call_operation", { operation: "ioc.list-indicators", ...input })).toContain(
      message,
    );
  }
  expect(
    await call("call_operation", {
      operation: "indicator.create.v1",
      body: { indicators: [{ typ: "domain" }] },
    }),
  ).toContain("body.indicators[0].typ: unknown field; did you mean type?");
  expect(await call("call_operation", { operation: "indicator.get.v1" })).toBe(
    "error: the parameter ids is missing",
  );
});

test("refuses every operation that changes records, and offers no tokens and files", async () => {
  const { call } = await start();
  const { operations } = calledDocument();
  const writing = operations.filter(
    ({ method, parameters }) =>
      ["put", "patch", "delete"].includes(method) ||
      parameters.some(({ name }) => name === "Idempotency-Key"),
  );
  for (const { id } of writing) {
    expect(await call("call_operation", { operation: id })).toMatch(
      /changes records, which is not allowed|there is no operation/,
    );
  }
  expect(writing.length).toBeGreaterThan(80);
  const allowed: string[] = [];
  for (const { id } of operations.filter(({ method }) => method === "post")) {
    const text = String(await call("call_operation", { operation: id }));
    if (!/changes records, which is not allowed|there is no operation/.test(text)) allowed.push(id);
  }
  expect(allowed.toSorted()).toEqual([
    "GetIndicatorsReport",
    "GetSensorAggregates",
    "GetSensorDetails",
    "PostDeviceDetailsV2",
    "ReadImageVulnerabilities",
    "aggregateUsersV1",
    "aggregateUsersV2",
    "aggregates.access-tags.post.v1",
    "aggregates.file-details.post.v1",
    "aggregates.notification-groups.post.v1",
    "aggregates.notification-groups.post.v2",
    "aggregates.slas.post.v1",
    "aggregates.templates.post.v1",
    "entities.cases.post.v2",
    "entities.files_bulk-download.post.v1",
    "entities.files_download.post.v1",
    "entities.get-rtr-file-metadata.post.v1",
    "entitiesRolesGETV2",
    "getUserInvitationsGETV1",
    "indicator.aggregate.v1",
    "indicator.sdmf-query.v1",
    "post_graphql",
    "retrieveUsersGETV1",
    "retrieveUsersGETV2",
    "ss-ioa-exclusions.aggregates.v2",
    "ss-ioa-exclusions.get-reports.v2",
    "ss-ioa-exclusions.matched-rule.v2",
    "ss-ioa-exclusions.new-rules.v2",
    "userAllowedActionsV1",
  ]);
  for (const id of [
    "oauth2AccessToken",
    "oauth2RevokeToken",
    "GetCredentials",
    "DownloadExportFile",
  ]) {
    expect(await call("call_operation", { operation: id })).toMatch(/there is no operation/);
  }
});

test("long results are shortened, and say so", async () => {
  const { call } = await start(["--allow-writes"]);
  const body = { indicators: indicators(100) };
  await call("call_operation", { operation: "indicator.create.v1", body, query: "length(@)" });
  const { data, left_out, hint } = (await call("call_operation", {
    operation: "ioc.list-indicators",
    parameters: { limit: 100 },
  })) as { readonly data: readonly object[]; readonly left_out: number; readonly hint: string };
  expect(data.length).toBeGreaterThan(10);
  expect(data.length + left_out).toBe(100);
  expect(hint).toContain("select members with query");
  const selected = await call("call_operation", {
    operation: "ioc.list-indicators",
    parameters: { limit: 100 },
    query: "[].value",
  });
  expect((selected as { readonly data: readonly string[] }).data).toHaveLength(100);
});

test("explains filters, and lists their problems", async () => {
  const { call } = await start();
  const operation = "ioc.list-indicators";
  expect(await call("explain_filter", { operation, filter: "severity:'high'" })).toEqual({
    valid: true,
    filter: "severity:'high'",
    explanation: "records for which:\n  severity is 'high'",
    problems: [],
  });
  expect(
    await call("explain_filter", { operation, filter: "severty:1", sort: "tags" }),
  ).toMatchObject({
    valid: false,
    problems: [
      {
        expression: "filter",
        offset: 0,
        message: expect.stringContaining("Did you mean 'severity'?"),
      },
      { expression: "sort" },
    ],
  });
  expect(await call("explain_filter", { operation: "getHostGroups", filter: "" })).toMatch(
    /^error: .*neither a filter nor a sort/,
  );
});

test("ends silently when the host closes standard input, and at a signal", async () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    },
  };
  for (const [end, exitCode] of [
    [({ child }: Running) => child.stdin?.end(), 0],
    [({ child }: Running) => child.kill("SIGTERM"), 143],
  ] as const) {
    const running = startProcess(["mcp"], { folder: temporaryFolder() });
    running.child.stdin?.write(`${JSON.stringify(initialize)}\n`);
    await running.until("stdout", /"serverInfo"/);
    end(running);
    expect(await running.ended).toMatchObject({ exitCode, stderr: "" });
  }
});

test("without a server it still describes, and says how to connect", async () => {
  const { call } = await start([], { SECPLAT_CLIENT_ID: "", SECPLAT_CLIENT_SECRET: "" });
  expect(await call("search_operations", { query: "hosts" })).toHaveProperty("operations");
  expect(await call("call_operation", { operation: "ioc.list-platforms" })).toMatch(
    /^error: there are no credentials; set SECPLAT_CLIENT_ID/,
  );
});
