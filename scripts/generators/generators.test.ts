import { readFileSync } from "node:fs";
import { join } from "node:path";
import { completeDocument } from "@security-platform/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { documents, idsOf, missing } from "./documents.ts";
import { compileClients, folder, generateClients } from "./generate.ts";
import { demoServer } from "./server.ts";

type Functions = Readonly<Record<string, (...words: readonly unknown[]) => Promise<unknown>>>;

beforeAll(() => generateClients(documents));

/** The functions of a generated client. */
const client = async (path: string): Promise<Functions> =>
  (await import(join(folder, path))) as Functions;

describe.each(documents)("the clients of %s.json", (name) => {
  const ids = idsOf(name);

  test("openapi-typescript has every operation", () => {
    const text = readFileSync(join(folder, "openapi-typescript", name, "index.ts"), "utf8");
    const [, members = ""] = text.split("export interface operations {");
    const declared = [...members.matchAll(/^ {4}"?([\w.-]+)"?: \{$/gm)].map(([, id = ""]) => id);
    expect(missing(declared, ids)).toEqual([]);
  });

  test("hey-api has every operation", async () => {
    expect(missing(Object.keys(await client(`hey-api/${name}/sdk.gen.ts`)), ids)).toEqual([]);
  });

  test("orval has every operation", async () => {
    expect(missing(Object.keys(await client(`orval/${name}/index.ts`)), ids)).toEqual([]);
  });
});

test("hey-api and orval have every schema", () => {
  const schemas = Object.keys(completeDocument().components.schemas);
  const declared = (path: string): readonly string[] =>
    documents.flatMap((name) =>
      [
        ...readFileSync(join(folder, path.replace("*", name)), "utf8").matchAll(
          /^export (?:type|interface) (\w+)/gm,
        ),
      ].map(([, type = ""]) => type),
    );
  expect(missing(declared("hey-api/*/types.gen.ts"), schemas)).toEqual([]);
  expect(missing(declared("orval/*/index.ts"), schemas)).toEqual([]);
});

test("the clients compile, with GraphQL requests and nullable sets", async () => {
  await compileClients(`
import type { components, operations } from "./openapi-typescript/openapi";
import { postGraphql, type OciSet as HeyApiSet } from "./hey-api/openapi";
import { postGraphql as send, type OciSet as OrvalSet } from "./orval/openapi";

const body: operations["post_graphql"]["requestBody"]["content"]["application/json"] = {
  query: "query ($first: Int) { entities(first: $first) { nodes { primaryDisplayName } } }",
  variables: { first: 10 },
};
export const answers = [postGraphql({ body }), send(body)] as const;
export const set: components["schemas"]["OciSet"] & HeyApiSet & OrvalSet = { "8080/tcp": {} };
export const none: components["schemas"]["OciSet"] & HeyApiSet & OrvalSet = null;
`);
});

describe("a running server", () => {
  const server = demoServer();

  const indicator = (value: string) => ({
    type: "domain",
    value,
    severity: "high",
    action: "detect",
    platforms: ["linux"],
    applied_globally: true,
  });
  const query = "{ entities(first: 1, types: [USER]) { nodes { primaryDisplayName } } }";

  test("answers the client of hey-api", async () => {
    const sdk = await client("hey-api/openapi/sdk.gen.ts");
    const companion = await client("hey-api/companion/sdk.gen.ts");
    const { url: baseUrl, access_token: auth, client_id, client_secret } = server().greeting;
    const target = { baseUrl, auth };
    const status = (result: unknown): number =>
      (result as { readonly response: Response }).response.status;

    const body = { indicators: [indicator("hey-api.example")] };
    expect(status(await sdk["indicatorCreateV1"]?.({ ...target, body }))).toBe(201);
    const filter = "value:'hey-api.example'";
    expect(await sdk["indicatorCombinedV1"]?.({ ...target, query: { filter } })).toMatchObject({
      data: [{ value: "hey-api.example" }],
    });
    expect(await sdk["postGraphql"]?.({ ...target, body: { query } })).toMatchObject({
      data: { data: { entities: { nodes: [{}] } } },
    });
    const credentials = { client_id, client_secret };
    expect(status(await sdk["oauth2AccessToken"]?.({ baseUrl, body: credentials }))).toBe(201);
    expect(await companion["queryCombinedHostGroups"]?.(target)).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
    });
    const refused = await sdk["indicatorGetV1"]?.({ ...target, query: { ids: ["f".repeat(64)] } });
    expect(refused).toMatchObject({ error: { errors: [{ code: 404 }] } });
  });

  test("answers the client of orval", async () => {
    const sdk = await client("orval/openapi/index.ts");
    const { url, access_token } = server().greeting;
    const options = { headers: { authorization: `Bearer ${access_token}` } };
    // The functions send paths to the global fetch, as in a browser.
    const { fetch } = globalThis;
    globalThis.fetch = (path, init) => fetch(`${url}${String(path)}`, init);
    try {
      const body = { indicators: [indicator("orval.example")] };
      const created = await sdk["indicatorCreateV1"]?.(body, {}, options);
      expect(created).toMatchObject({ status: 201, data: [{ value: "orval.example" }] });
      const filter = "value:'orval.example'";
      const answer = await sdk["indicatorCombinedV1"]?.({ filter }, options);
      expect(answer).toMatchObject({ status: 200, data: [{ value: "orval.example" }] });
      const answered = await sdk["postGraphql"]?.({ query }, options);
      expect(answered).toMatchObject({ data: { data: { entities: { nodes: [{}] } } } });
      const refused = await sdk["indicatorGetV1"]?.({ ids: ["f".repeat(64)] }, options);
      expect(refused).toMatchObject({ status: 404, data: { errors: [{ code: 404 }] } });
    } finally {
      globalThis.fetch = fetch;
    }
  });
});
