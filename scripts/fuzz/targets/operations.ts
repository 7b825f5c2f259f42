import { printFilter } from "@security-platform/fql";
import { arbitraryFilter } from "@security-platform/fql/arbitraries";
import { fqlTables, operations, type Operation } from "@security-platform/spec";
import { sample } from "fast-check";
import { exampleRequest } from "../../../packages/server/tests/support/example-request.ts";
import { Random } from "../../../packages/spec-gate/tests/fuzz/edits.ts";
import { mutateJson, mutateText } from "../mutate.ts";
import type { FuzzedServer } from "../server.ts";
import { answerProblem, type Outcome, type Target } from "../target.ts";

/** A request of an operation, as JSON. */
export interface OperationInput {
  readonly operation: string;
  readonly address: string;
  /** JSON text. */
  readonly body?: string;
}

const jsonOperations = operations().filter(
  ({ scope, requestBody }) =>
    scope !== null && requestBody?.content["multipart/form-data"] === undefined,
);

const graphql = jsonOperations.filter(({ path }) => path.includes("graphql"));
const inventoryOperation = "PostImageScanInventory";
const inventories = jsonOperations.filter(({ id }) => id === inventoryOperation);
const bodies = jsonOperations.filter((operation) => operation.requestBody !== undefined);

const find = (id: string): Operation => {
  const operation = operations().find((each) => each.id === id);
  if (operation === undefined) throw new Error(`the document has no operation ${id}`);
  return operation;
};

export async function sendOperation(
  server: FuzzedServer,
  { operation, address, body }: OperationInput,
): Promise<Outcome> {
  const { method } = find(operation);
  const headers = {
    ...exampleRequest(find(operation)).headers,
    ...(operation === inventoryOperation ? await scanTicket(server, address) : {}),
  };
  const answer = await server.send({
    method: method.toUpperCase(),
    address,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const problem = answerProblem(answer.status, answer.text, `${decoded(address)} ${body ?? ""}`);
  return { label: String(answer.status), ...(problem === undefined ? {} : { problem }) };
}

/** An inventory is sent with a ticket that is valid once. */
async function scanTicket(server: FuzzedServer, address: string) {
  const name = "x-scan-ticket";
  const { headers } = await server.send({ method: "HEAD", address });
  return { [name]: String(headers[name]) };
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address.replaceAll("+", " "));
  } catch {
    return address;
  }
}

/** Names and values of the documents' requests, which make mutated requests of another operation's shape. */
const words: readonly string[] = [
  ...new Set(
    bodies.flatMap((operation) => {
      const { body } = exampleRequest(operation);
      return typeof body === "string" ? textsIn(JSON.parse(body)) : [];
    }),
  ),
];

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

function mutatedBody(random: Random, operation: Operation, own: readonly string[]): OperationInput {
  const { address, body } = exampleRequest(operation);
  const text = typeof body === "string" ? body : "{}";
  const mutated =
    random.below(8) === 0
      ? mutateText(random, text, ["{", "}", "[", "]", ",", ":", '"', "1e999", "\\ud800"])
      : JSON.stringify(mutateJson(random, JSON.parse(text), own));
  return { operation: operation.id, address, body: mutated };
}

const byBody = (
  server: FuzzedServer,
  name: string,
  chosen: readonly Operation[],
): Target<OperationInput> => ({
  name,
  runsIn: "server",
  generate: (random) => mutatedBody(random, random.pick(chosen) as Operation, words),
  send: (input) => sendOperation(server, input),
});

/** JSON bodies of all operations. */
export const jsonBodies = (server: FuzzedServer): Target<OperationInput> =>
  byBody(server, "bodies", bodies);

/** Inventories of images. */
export const imageInventories = (server: FuzzedServer): Target<OperationInput> =>
  byBody(server, "inventories", inventories);

const graphqlQueries: readonly string[] = [
  `query Q($n: Int = 2, $after: Cursor) { entities(first: $n, after: $after, types: [USER], riskScoreSeverities: [HIGH])
    { nodes { __typename entityId primaryDisplayName riskScore ... on UserEntity { emailAddresses }
      associations { bindingType ... on EntityAssociation { entity { entityId } } } }
      pageInfo { hasNextPage endCursor } } }`,
  `{ countEntities timeline(first: 3, startTime: "2026-02-01T00:00:00Z") { nodes { eventId timestamp eventType } } }`,
  `fragment F on Entity { entityId riskFactors { type severity } }
    query A { incidents(first: 2, sortOrder: DESCENDING) { nodes { incidentId type compromisedEntities { ...F } } } }`,
  `{ __schema { types { name fields { name type { kind } } } } }`,
];

const graphqlWords: readonly string[] = [
  "{",
  "}",
  "(",
  ")",
  "...",
  "...F",
  "$n",
  "@skip(if: true)",
  "@include(if: $x)",
  '"""',
  "first: 1000",
  "first: -1",
  "null",
  "[USER]",
  "entities",
  "incidents",
  "__typename",
  "{ nodes { entityId } }",
  "mutation M { a }",
  "subscription { a }",
  "a: entityId",
];

/** GraphQL: the syntax, the fields and arguments, and the variables. */
export const graphqlTarget = (server: FuzzedServer): Target<OperationInput> => ({
  name: "graphql",
  runsIn: "server",
  generate: (random) => {
    const [operation] = graphql as [Operation];
    const query = mutateText(
      random,
      random.pick(graphqlQueries) ?? "",
      graphqlWords,
      graphqlQueries,
    );
    const variables = mutateJson(random, { n: 2, after: null }, ["n", "after", "x"]);
    const body = random.below(3) === 0 ? { query, variables } : { query };
    return { operation: operation.id, address: operation.path, body: JSON.stringify(body) };
  },
  send: (input) => sendOperation(server, input),
});

const withFilter = jsonOperations.flatMap((operation) =>
  operation.parameters.flatMap(({ name, fql }) =>
    fql === undefined ? [] : [{ operation, name, use: fql.use, resource: fql.resource }],
  ),
);

const fqlWords: readonly string[] = [
  "+",
  ",",
  "(",
  ")",
  ":",
  "!",
  "'",
  "[",
  "]",
  "*",
  "~",
  ":*",
  ":!~*'",
  ":>='now-1d'",
  "null",
  "true",
  ".asc",
  "|desc",
  "\\'",
  "'*?*?*?*?*'",
  "last 7 days",
  "10.0.0.0/8",
];

/** Filters and sorts: valid ones of the fields, and texts near them. */
export const filters = (server: FuzzedServer): Target<OperationInput> => ({
  name: "fql",
  runsIn: "server",
  generate: (random) => {
    const parameter = random.pick(withFilter);
    if (parameter === undefined) throw new Error("no operation takes FQL");
    const { operation, name, use, resource } = parameter;
    const fields = fqlTables[resource as keyof typeof fqlTables].fields;
    const seed = random.below(2 ** 31);
    const [tree] = sample(arbitraryFilter(fields), { seed, numRuns: 1 });
    const sorts = Object.keys(fields).map((field) => `${field}.asc`);
    const valid =
      use === "sort" ? (random.pick(sorts) ?? "") : tree === undefined ? "" : printFilter(tree);
    const text = random.below(3) === 0 ? valid : mutateText(random, valid, [...fqlWords, ...sorts]);
    const { address, body } = exampleRequest(operation);
    const url = new URL(address, "http://server.test");
    url.searchParams.set(name, text.toWellFormed());
    return {
      operation: operation.id,
      address: url.pathname + url.search,
      ...(typeof body === "string" ? { body } : {}),
    };
  },
  send: (input) => sendOperation(server, input),
});

const paged = jsonOperations.filter(({ paging, method }) => paging !== "none" && method === "get");

interface PageInput {
  readonly operation: string;
  /** Of the changes of the cursor that the server returns. Other runs have other cursors. */
  readonly seed: number;
  readonly limit: string;
  readonly offset?: string;
}

/** Cursors near those that the server returns, limits and offsets. */
export const pages = (server: FuzzedServer): Target<PageInput> => ({
  name: "cursors",
  runsIn: "server",
  generate: (random) => {
    const number = (): string =>
      random.below(2) === 0 ? "1" : mutateText(random, "10", ["-", "0", "e", "99999999", "."]);
    return {
      operation: random.pick(paged)?.id ?? "",
      seed: random.below(2 ** 31),
      limit: number(),
      ...(random.below(4) === 0 ? { offset: number() } : {}),
    };
  },
  send: async ({ operation: id, seed, limit, offset }) => {
    const operation = find(id);
    const { address } = exampleRequest(operation);
    const url = new URL(address, "http://server.test");
    const at = (): string => url.pathname + url.search;
    url.searchParams.set("limit", "1");
    const first = await server.send({ method: "GET", address: at() });
    const cursor = first.headers["x-pagination-after"];
    url.searchParams.set("limit", limit.toWellFormed());
    if (offset !== undefined) url.searchParams.set("offset", offset.toWellFormed());
    const name = operation.cursorParameter;
    if (name !== undefined && offset === undefined) {
      const random = new Random(seed);
      const text = mutateText(random, typeof cursor === "string" ? cursor : "eyJhIjoxfQ", [
        "=",
        "-",
        "_",
        ".",
        "AAAA",
        "//",
      ]);
      url.searchParams.set(name, text.toWellFormed());
    }
    return sendOperation(server, { operation: id, address: at() });
  },
});
