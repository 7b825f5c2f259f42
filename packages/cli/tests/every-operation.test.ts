/** @module-tag exhaustive */
/** Calls every operation with its command, in the process of the test, on a server. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printFilter, type Filter } from "@security-platform/fql";
import { calledDocument, type CalledOperation } from "@security-platform/spec";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { OperationId } from "../../client/src/index.ts";
import { everyExample, newWorld } from "../../client/tests/examples/every-example.ts";
import { newHostFolder } from "../../client/tests/support/host-folder.ts";
import {
  deviceId,
  startLiveServer,
  type LiveServer,
} from "../../client/tests/support/live-server.ts";
import { optionsOf } from "../src/calls/add-operation-command.ts";
import { commandOf } from "../src/calls/operations.ts";
import { commandLine, type Outcome } from "../src/testing/command-line.ts";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";

interface Credentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A request as the server gets it. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Headers;
  readonly body: unknown;
}

type Input = Readonly<Record<string, unknown>>;

const all = calledDocument().operations.map((operation) => [operation.id, operation] as const);

let server: LiveServer;
let credentials: Credentials;
let finish: () => Promise<void>;
let sent: Sent[] = [];
const hosts = newHostFolder(deviceId);
const realFetch = fetch;

beforeAll(async () => {
  server = await startLiveServer({ rtrRoot: hosts.root }, {}, (cleanUp) => (finish = cleanUp));
  credentials = await server.newCredentials();
  vi.stubGlobal("fetch", async (...given: Parameters<typeof fetch>) => {
    const request = new Request(...given);
    const { pathname: path, searchParams } = new URL(request.url);
    const { method, headers } = request;
    sent.push({ method, path, query: [...searchParams], headers, body: await bodyOf(request) });
    return realFetch(request);
  });
});
afterEach(() => {
  sent = [];
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await finish();
  hosts.remove();
});

async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  const copy = request.clone();
  if (type.startsWith("application/json")) return copy.json();
  if (!/form/.test(type)) return undefined;
  const entries = [...(await copy.formData())].map(async ([name, value]) => [
    name,
    typeof value === "string" ? value : await value.text(),
  ]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}

/** Runs the command of an operation with this input. */
async function callWith(
  operation: CalledOperation,
  input: Input,
  { baseUrl, clientId, clientSecret }: Credentials,
): Promise<Outcome & { readonly folder: string }> {
  const folder = temporaryFolder();
  const { words, stdin } = await commandFor(operation, input, folder);
  const run = commandLine({
    folder,
    environment: {
      SECPLAT_URL: baseUrl,
      SECPLAT_CLIENT_ID: clientId,
      SECPLAT_CLIENT_SECRET: clientSecret,
    },
  });
  return {
    ...(await run([...commandOf(operation).split(" "), ...words, "--json"], stdin)),
    folder,
  };
}

/** The words of the command line; members that no flag can set are in a body on standard input. */
async function commandFor(
  operation: CalledOperation,
  { body, ...parameters }: Input,
  folder: string,
): Promise<{ readonly words: readonly string[]; readonly stdin: string }> {
  const words: string[] = [];
  const { flags } = optionsOf(operation);
  const add = (target: "parameter" | "body", name: string, value: unknown): boolean => {
    const isLimit = target === "parameter" && name === "limit" && operation.paging !== "none";
    const flag = flags.find((each) => each.target === target && each.name === name);
    const long = isLimit ? "--limit" : flag?.option.long;
    if (long === undefined || long === null) return false;
    words.push(long, ...[value].flat().map(String));
    return true;
  };
  for (const [name, value] of Object.entries(parameters)) {
    expect(add("parameter", name, textOf(name, value)), `${name} has no flag`).toBe(true);
  }
  const rest: Record<string, unknown> = {};
  const members = isObject(body) ? Object.entries(body) : [];
  for (const [name, value] of members) {
    if (value instanceof Blob) {
      writeFileSync(join(folder, (value as File).name), await value.text());
      add("body", name, (value as File).name);
    } else if (isFile(operation, name)) {
      writeFileSync(join(folder, "upload"), String(value));
      add("body", name, "upload");
    } else if (!isScalars(value) || !add("body", name, value)) {
      rest[name] = value;
    }
  }
  const document = isObject(body) ? rest : body;
  const needsDocument = document !== undefined && JSON.stringify(document) !== "{}";
  if (needsDocument) words.push("--body", "-");
  if (operation.method === "delete") words.push("--yes");
  if (operation.answer === "file") words.push("--save", "saved");
  return { words, stdin: needsDocument ? JSON.stringify(asJson(document)) : "" };
}

const isObject = (value: unknown): value is Input =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isScalars = (value: unknown): boolean =>
  [value].flat().every((item) => ["string", "number", "boolean"].includes(typeof item)) &&
  !(Array.isArray(value) && value.length === 0);

const isFile = ({ requestBody }: CalledOperation, name: string): boolean =>
  requestBody?.mediaType === "multipart/form-data" && name === "file";

const isFilter = (value: unknown): value is Filter => isObject(value) && "kind" in value;

/** Filters and sort orders of the client's examples are trees and lists. */
function textOf(name: string, value: unknown): unknown {
  if (isFilter(value)) return printFilter(value);
  return name === "sort" && Array.isArray(value) ? value.join(",") : value;
}

function asJson(value: unknown, name = ""): unknown {
  const text = textOf(name, value);
  if (Array.isArray(text)) return text.map((item) => asJson(item));
  if (!isObject(text)) return text;
  return Object.fromEntries(
    Object.entries(text).map(([member, inner]) => [member, asJson(inner, member)]),
  );
}

test("every operation has a command, and no two options of it have the same name", () => {
  expect(new Set(all.map(([, operation]) => commandOf(operation))).size).toBe(all.length);
  for (const [, operation] of all) {
    const { flags, others } = optionsOf(operation);
    const options = [...flags.map(({ option }) => option), ...others];
    const names = options.flatMap(({ long, short }) => [long, short].filter(Boolean));
    expect(new Set(names).size, operation.id).toBe(names.length);
    const attributes = options.map((option) => option.attributeName());
    expect(new Set(attributes).size, operation.id).toBe(attributes.length);
  }
});

describe("the command of an operation, with the document's example", () => {
  test.each(all)("%s sends what the document says", async (_, operation) => {
    const { parameters, requestBody, path, method } = operation;
    const exampled = parameters.filter(
      // Each of these excludes another one.
      ({ name, required, example }) =>
        example !== undefined && (required || !["after", "offset"].includes(name)),
    );
    const input = {
      ...Object.fromEntries(exampled.map(({ name, example }) => [name, example])),
      ...(requestBody === undefined ? {} : { body: requestBody.example }),
    };
    const outcome = await callWith(operation, input, credentials);
    const request = sent.find(
      (each) => each.method === method.toUpperCase() && !isOwnToken(each, operation),
    );
    expect(request, outcome.stderr).toBeDefined();
    const inPath = (name: string): string =>
      encodeURIComponent(String(parameters.find((each) => each.name === name)?.example));
    expect(request?.path).toBe(
      path.replaceAll(/\{(.+?)\}/g, (_match, name: string) => inPath(name)),
    );
    expect(request?.query.toSorted()).toEqual(
      exampled
        .filter((each) => each.in === "query")
        .flatMap(({ name, example }) =>
          [example].flat().map((item): [string, string] => [name, String(item)]),
        )
        .toSorted(),
    );
    for (const { name, example } of exampled.filter((each) => each.in === "header")) {
      expect(request?.headers.get(name)).toBe(example);
    }
    const isForm = requestBody?.mediaType.includes("form") === true;
    const body = requestBody?.example;
    expect(request?.body).toEqual(
      isForm
        ? Object.fromEntries(Object.entries(body as object).map(([k, v]) => [k, String(v)]))
        : body,
    );
    // The examples may refer to records that do not exist here. Nothing else is wrong with them.
    expect([0, 1]).toContain(outcome.exitCode);
    expect(outcome.stderr).not.toMatch(/UnexpectedResponse|received no response/);
  });
});

const isOwnToken = ({ path }: Sent, { collection }: CalledOperation): boolean =>
  path.startsWith("/oauth2/") && collection !== "oauth2";

describe("the command of an operation, with the client's example", () => {
  const exampled = all.filter(([id]) => everyExample[id] !== undefined);

  test.each(exampled)("%s prints the result", async (id, operation) => {
    const world = await newWorld(server, operation.collection);
    const example = await everyExample[id as OperationId]?.(world);
    const { client_id: clientId, client_secret: clientSecret } = world.credentials;
    const { exitCode, stdout, stderr, folder } = await callWith(
      operation,
      example?.input as unknown as Input,
      { baseUrl: server.url, clientId, clientSecret },
    );
    expect(exitCode, stderr).toBe(0);
    if (operation.answer === "file") {
      expect(readFileSync(join(folder, "saved")).length).toBeGreaterThan(0);
    } else {
      expect(stdout === "" ? undefined : JSON.parse(stdout)).toEqual(example?.expected);
    }
  });
});
