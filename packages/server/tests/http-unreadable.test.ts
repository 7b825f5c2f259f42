import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { forEachEngine } from "./support/engines.ts";
import { sendTarget } from "./support/raw-request.ts";
import { sharedApi } from "./support/shared-api.ts";

interface ErrorBody {
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

const indicators = "/iocs/entities/indicators/v1";
const combined = "/iocs/combined/indicator/v1";
const graphql = "/identity-protection/combined/graphql/v1";
const token = "/oauth2/token";
const jsonType = { "content-type": "application/json" };

const messages = ({ errors }: ErrorBody): readonly string[] => errors.map(({ message }) => message);

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const nul = "contains the character U+0000, which no text may contain";

forEachEngine((engine) => {
  const { open: start } = sharedApi(engine);
  const post = (api: TestApi, path: string, body: string) =>
    api.request<ErrorBody>("POST", path, { body, headers: jsonType });
  const ask = (api: TestApi, body: object) =>
    api.request<{ errors?: ErrorBody["errors"] }>("POST", graphql, { body });

  describe("nesting", () => {
    test("a hundred levels are read, one more is rejected with its offset", async () => {
      const api = await start();
      const hundred = await post(api, indicators, `{"indicators":${nested(99)}}`);
      expect(messages(hundred.body)[0]).toMatch(/^body\.indicators/);
      const more = await post(api, indicators, `{"indicators":${nested(100)}}`);
      expect(more.status).toBe(400);
      expect(messages(more.body)).toEqual([
        "body: not valid JSON at offset 113: nested deeper than 100 levels",
      ]);
    });

    test.each([
      ["lists", nested(5_000)],
      ["lists that never close", "[".repeat(1_000_000)],
      ["objects", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
      ["lists behind a text that never closes", `"\n${"[".repeat(100_000)}`],
      ["lists behind a comment with a quote", `/*"*/${"[".repeat(100_000)}`],
      ["lists behind a fault", `,"\\u"${"[".repeat(100_000)}`],
      ["many faults", ",".repeat(190_000)],
    ])("%s cause a 400", async (_name, body) => {
      const api = await start();
      expect((await post(api, indicators, body)).status).toBe(400);
    });

    test("brackets inside a text do not count", async () => {
      const api = await start();
      const answer = await post(api, indicators, `{"comment":"${"[{".repeat(200)}\\"["}`);
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain("nested");
    });

    test("variables of a query that are sent as text have the same limit", async () => {
      const api = await start();
      const answer = await ask(api, { query: "{ __typename }", variables: nested(101) });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("nested deeper than 100 levels");
    });

    test.each([
      ["lists", `{entities(types:${"[".repeat(1_900)}`],
      ["closed lists", `{entities(types:${nested(900)}){nodes{__typename}}}`],
      ["fields", "{entities".repeat(900)],
      ["objects", `{entities(first:${"{a:".repeat(600)}`],
      ["types", `query($a:${"[".repeat(900)}`],
    ])("nested %s of a query are an error of the query", async (_name, query) => {
      const api = await start();
      const answer = await ask(api, { query });
      expect(answer.status).toBe(200);
      expect(answer.body.errors?.map(({ code }) => code)).toEqual([400]);
      expect(answer.text).toContain("nested more than 100 brackets deep");
    });
  });

  describe("texts", () => {
    test.each([
      ["a value of a form", "client_id=a%00b&client_secret=x", "body.client_id"],
      ["a name in a form", "client%00=a", "body"],
    ])("U+0000 in %s is rejected with its place", async (_name, form, place) => {
      const api = await start();
      const answer = await api.request<ErrorBody>("POST", token, {
        token: null,
        body: form,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect(answer.status).toBe(400);
      expect(messages(answer.body)).toEqual([`${place}: ${nul}`]);
    });

    test("U+0000 in Basic credentials is an unknown client", async () => {
      const api = await start();
      for (const credentials of ["a\0b:secret", "a%00b:secret"]) {
        const answer = await api.request("POST", token, {
          token: null,
          headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
        });
        expect(answer.status).toBe(401);
      }
    });

    test("invalid texts of a body are reported one by one, including names of members", async () => {
      const api = await start();
      const answer = await post(
        api,
        indicators,
        String.raw`{"indicators":[{"value":"a\u0000","b\u0000":1,"type":"\ud800x"}],"comment":"\\u0000 \ud83d\ude00"}`,
      );
      expect(answer.status).toBe(400);
      expect(messages(answer.body)).toEqual([
        `body.indicators[0].value: ${nul}`,
        `body.indicators[0]: the name of a member ${nul}`,
        String.raw`body.indicators[0].type: contains half of a surrogate pair, \ud800; expected Unicode text`,
      ]);
    });

    test("text that only looks like an escape is stored as sent", async () => {
      const api = await start();
      const description = String.raw`\u0000 \ud800` + "\u{1f600}";
      const created = await api.request<readonly { description: string }[]>("POST", indicators, {
        body: {
          indicators: [
            {
              type: "domain",
              value: "text.example",
              action: "detect",
              severity: "low",
              platforms: ["linux"],
              applied_globally: true,
              description,
            },
          ],
        },
      });
      expect(created.status).toBe(201);
      expect(created.body[0]?.description).toBe(description);
    });

    test.each([
      ["%00", nul],
      ["%ff", "contains a percent-encoding that is not UTF-8; send % as %25"],
      ["%ed%a0%80", "contains a percent-encoding that is not UTF-8; send % as %25"],
      ["100%", "contains a percent-encoding that is not UTF-8; send % as %25"],
    ])("%s in a query is rejected with its parameter", async (text, message) => {
      const api = await start();
      const answer = await sendTarget(api.url, `${combined}?limit=1&filter=value:'${text}'`, {
        headers: { authorization: `Bearer ${api.token}` },
      });
      expect(answer.status).toBe(400);
      expect(messages(JSON.parse(answer.body) as ErrorBody)).toEqual([`query.filter: ${message}`]);
    });

    test("a raw byte in a target is rejected, not read as other characters", async () => {
      const api = await start();
      const answer = await sendTarget(api.url, Buffer.from(`${combined}?filter=value:'é'`), {
        headers: { authorization: `Bearer ${api.token}` },
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toContain('"errors":[{"code":400');
    });

    test("U+0000 in a path is rejected", async () => {
      const api = await start();
      expect(
        (await sendTarget(api.url, "/image-assessment/entities/reports/v2/a%00b")).status,
      ).toBe(400);
    });

    test("U+0000 as an escape in a GraphQL query is an error of the query", async () => {
      const api = await start();
      const query = String.raw`{ entities(first: 1, primaryDisplayNamePattern: "a\u0000b") { nodes { __typename } } }`;
      const answer = await ask(api, { query });
      expect(answer.status).toBe(200);
      expect(answer.body.errors?.[0]?.message).toBe(`a text ${nul}`);
      const variables = await ask(api, {
        query: "{ __typename }",
        variables: String.raw`{"a":"\u0000"}`,
      });
      expect(messages(variables.body as ErrorBody)).toEqual([`body.variables.a: ${nul}`]);
    });

    test("the error for a body that is not UTF-8 names the first invalid byte", async () => {
      const api = await start();
      const body = Buffer.concat([
        Buffer.from(`{"comment":"${"é".repeat(100_000)}`),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]);
      const response = await fetch(api.url + indicators, {
        method: "POST",
        headers: { authorization: `Bearer ${api.token}`, ...jsonType },
        body,
      });
      expect(messages((await response.json()) as ErrorBody)).toEqual([
        "body: not valid JSON at offset 200012: not UTF-8",
      ]);
    });
  });

  describe("a large body", () => {
    const item = { type: "domain", action: "detect", platforms: ["linux"], severity: "low" };

    test.each([
      ["items of a wrong type", `{"indicators":[${"0,".repeat(190_000)}0]}`],
      ["items without members", `{"indicators":[${"{},".repeat(190_000)}{}]}`],
      ["a long list inside an item", `{"indicators":[{"platforms":[${"0,".repeat(190_000)}0]}]}`],
      ["unknown members", `{${Array.from({ length: 9_000 }, (_, at) => `"a${at}":0`).join()}}`],
    ])("of %s is rejected without blocking the server", async (_name, body) => {
      const api = await start();
      const answer = await post(api, indicators, body);
      expect(answer.status).toBe(400);
      expect(messages(answer.body)[0]).toMatch(/^body\./);
      expect(answer.body.errors.length).toBeLessThanOrEqual(101);
    });

    test("is reported with the first violation, and those of its first items", async () => {
      const api = await start();
      const list = Array.from({ length: 600 }, (_, at) => ({ ...item, value: `a${at}.example` }));
      const sound = { ...item, applied_globally: true };
      const answer = await post(
        api,
        indicators,
        JSON.stringify({
          indicators: list.map((each, at) => ({
            ...sound,
            ...each,
            ...(at === 7 || at === 9 ? { type: "domian" } : {}),
          })),
        }),
      );
      expect(messages(answer.body).map((message) => message.split(":", 1)[0])).toEqual([
        "body.indicators[7].type",
        "body.indicators[9].type",
      ]);
      const late = await post(
        api,
        indicators,
        JSON.stringify({
          indicators: list.map((each, at) => ({
            ...sound,
            ...each,
            ...(at === 599 ? { severity: "hihg" } : {}),
          })),
        }),
      );
      expect(messages(late.body).map((message) => message.split(":", 1)[0])).toEqual([
        "body.indicators[599].severity",
      ]);
    });
  });

  test("credentials by Basic need no body", async () => {
    const api = await start();
    const { client_id, client_secret } = api.client;
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    for (const headers of [{}, { "content-type": "application/x-www-form-urlencoded" }]) {
      const answer = await api.request("POST", token, {
        token: null,
        headers: { authorization, ...headers },
      });
      expect(answer.status).toBe(201);
    }
    const nothing = await api.request<ErrorBody>("POST", token, { token: null });
    expect(nothing.status).toBe(400);
    expect(messages(nothing.body)).toContain("body.client_id: is required without HTTP Basic");
  });

  test("a request whose headers announce no body is treated like one with an empty body", async () => {
    const api = await start();
    const { client_id, client_secret } = api.client;
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;
    const bearer = `Bearer ${api.token}`;
    const cases = [
      ["POST", token, basic, "application/x-www-form-urlencoded", 201],
      ["POST", token, basic, undefined, 201],
      ["POST", indicators, bearer, "application/json", 400],
      ["POST", indicators, bearer, undefined, 400],
      ["POST", indicators, bearer, "text/plain", 415],
      ["DELETE", `${indicators}?ids=${"0".repeat(64)}`, bearer, "application/json", 404],
      ["POST", "/nowhere", bearer, "application/json", 404],
    ] as const;
    for (const [method, path, authorization, type, status] of cases) {
      const headers = { authorization, ...(type === undefined ? {} : { "content-type": type }) };
      const announced = await sendTarget(api.url, path, {
        method,
        headers: { ...headers, "content-length": "0" },
      });
      const silent = await sendTarget(api.url, path, { method, headers });
      expect([path, type, announced.status]).toEqual([path, type, status]);
      expect([path, type, silent.status]).toEqual([path, type, status]);
    }
  });

  test("a response lists up to the documented number of errors, and counts the others", async () => {
    const api = await start();
    const ids = Array.from({ length: 2_500 }, (_, at) => at.toString(16).padStart(32, "0"));
    const answer = await api.request<ErrorBody>(
      "POST",
      "/identity-protection/entities/devices/GET/v1",
      { body: { ids } },
    );
    expect(answer.status).toBe(404);
    expect(answer.body.errors).toHaveLength(2_001);
    expect(answer.body.errors.at(-1)?.message).toBe("and 500 more errors");
  });

  test("a response does not repeat a long name completely", async () => {
    const api = await start();
    const answer = await post(api, indicators, `{"${"x".repeat(1_000_000)}":1}`);
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(10_000);
  });
});
