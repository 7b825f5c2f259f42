import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareDocuments } from "../compare/compare-documents.ts";
import { testDay } from "../testing/documents.ts";
import { documentOf, loadDocument } from "./load-document.ts";

const folder = mkdtempSync(join(tmpdir(), "spec-gate-test-"));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const load = (text: string, more = {}) => loadDocument(text, { fetch, folder, ...more });

const referring = (reference: string) => ({
  openapi: "3.1.0",
  info: { title: "Test", version: "1" },
  paths: {
    "/things": {
      get: {
        responses: {
          200: {
            description: "",
            content: { "application/json": { schema: { $ref: reference } } },
          },
        },
      },
    },
  },
});

async function problem(text: string): Promise<string> {
  try {
    const document = await load(text);
    // Equal documents are not compared at all.
    const other = documentOf({ ...referring("#/info"), tags: [] }, "other.json");
    compareDocuments(document, other, { today: testDay });
    return "none";
  } catch (error) {
    expect(error).toHaveProperty("name", "CannotJudge");
    return (error as Error).message.replaceAll(folder, "").replaceAll("\\", "/");
  }
}

/** Nine lists; each contains the previous one nine times. */
const bomb = [
  "openapi: 3.1.0",
  "paths: {}",
  "x-0: &x0 [a, a, a, a, a, a, a, a, a]",
  ...Array.from({ length: 9 }, (_, level) => {
    const names = Array.from({ length: 9 }, () => `*x${level}`).join(", ");
    return `x-${level + 1}: &x${level + 1} [${names}]`;
  }),
].join("\n");

describe("a document that cannot be compared", () => {
  test.each([
    ["broken.json", '{"openapi": "3.1.0",', "neither JSON nor YAML"],
    ["broken.yaml", "openapi: 3.1.0\npaths: [", "broken.yaml:"],
    ["twice.yaml", "openapi: 3.1.0\nopenapi: 3.0.0\npaths: {}", "duplicated mapping key"],
    [
      "twice.json",
      '{"openapi": "3.1.0",\n "paths": {}, "p\\u0061ths": {}}',
      ":2:15: an object has the member paths twice",
    ],
    [
      "deep.json",
      `{"openapi": "3.1.0", "paths": {}, "x": ${"[".repeat(600)}${"]".repeat(600)}}`,
      ":1:539: values are nested more than 500 deep",
    ],
    [
      "deep.yaml",
      `openapi: 3.1.0\npaths: {}\nx: ${"[".repeat(600)}${"]".repeat(600)}`,
      "nesting exceeded",
    ],
    ["bomb.yaml", bomb, "with its YAML aliases written out"],
    [
      "loop.yaml",
      "openapi: 3.1.0\npaths: {}\nx-a: &a [*a]",
      "refers to a node that contains the alias",
    ],
    [
      "new.yaml",
      "openapi: 3.3.0\npaths: {}",
      "expected an OpenAPI 3.0, 3.1 or 3.2 document, got openapi: 3.3.0",
    ],
    ["swagger.yaml", "swagger: '2.0'\npaths: {}", "is a Swagger 2.0 document"],
    ["both.yaml", "swagger: '2.0'\nopenapi: 3.0.0\npaths: {}", "declares two versions"],
    ["other.yaml", "openapi: 4.0.0\npaths: {}", "got openapi: 4.0.0"],
    ["none.yaml", "title: Hello", "got no member openapi"],
    ["list.yaml", "- 1", "got a list"],
    ["empty.yaml", "", "got an empty file"],
    ["paths.yaml", "openapi: 3.1.0\npaths: []", "#/paths: expected an object, got a list"],
    ["dangling.json", JSON.stringify(referring("#/components/schemas/No")), "leads nowhere"],
    ["missing.json", JSON.stringify(referring("no.json")), "leads to a file that does not exist"],
    ["remote.json", JSON.stringify(referring("https://example.com/a.json")), "another host"],
  ])("%s reports the reason", async (name, content, expected) => {
    expect(await problem(file(name, content))).toContain(expected);
  });

  test("reports that a base does not exist", async () => {
    expect(await problem(join(folder, "absent.yaml"))).toBe(
      "/absent.yaml does not exist; expected a file, a URL or git:REVISION:PATH",
    );
    expect(await problem(folder)).toContain("is a folder");
    expect(await problem("git:main")).toContain("expected git:REVISION:PATH");
    expect(await problem("ftp://a.example/b")).toContain("expected a file, an http or https URL");
  });
});

test("has a note instead of a reference that leads back to itself", async () => {
  const content = {
    ...referring("#/components/schemas/A"),
    components: {
      schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } },
    },
  };
  const document = await load(file("circle.json", content));
  const other = documentOf(referring("#/info"), "other.json");
  for (const pair of [
    [document, other],
    [other, document],
  ] as const) {
    const { notes } = compareDocuments(...pair, { today: testDay });
    expect(notes[0]?.message).toContain("leads back to itself");
  }
});

test("may be YAML with brackets left of their key, as other parsers read it", async () => {
  const lines = [
    "openapi: 3.1.0",
    "paths: {}",
    "x-a:",
    "  b: [",
    "  1,",
    "  {c: 2}",
    "  ]",
    "x-d: e",
  ];
  const document = await load(file("bracket.yaml", lines.join("\n")));
  expect(document.root).toMatchObject({ "x-a": { b: [1, { c: 2 }] }, "x-d": "e" });
  expect(document.textNotes).toEqual([
    expect.stringContaining("bracket.yaml:5: the line starts left"),
  ]);
  expect(await problem(file("open.yaml", [...lines.slice(0, 6), "x-d: e"].join("\n")))).toContain(
    "neither JSON nor YAML",
  );
});

test("may start with a byte order mark, and repeat names in different objects", async () => {
  const text =
    '\uFEFF{"openapi": "3.1.0", "paths": {}, "x-a": [{"a\\"": "b,", "b": [1, {"a": 2}]}, {"b": 1}]}';
  expect(await problem(file("mark.json", text))).toBe("none");
});

describe("a document of several files", () => {
  const main = file("many/openapi.yaml", referring("schemas/Thing.yaml"));
  file("many/schemas/Thing.yaml", "type: object\nproperties:\n  other: {$ref: Other.yaml#/part}");
  file("many/schemas/Other.yaml", "part: {type: string}\n");

  test("is read with all of them", async () => {
    const document = await load(main);
    expect(document.files.size).toBe(3);
    expect(compareDocuments(document, await load(main), { today: testDay }).changes).toEqual([]);
  });

  test("is read from the index of git, with what is staged", async () => {
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder });
    git("init", "-q");
    const staged = file("staged/openapi.yaml", referring("Thing.yaml"));
    file("staged/Thing.yaml", "type: string\n");
    git("add", "staged");
    file("staged/Thing.yaml", "type: integer\n");
    const { changes } = compareDocuments(
      await load("git::staged/openapi.yaml"),
      await load(staged),
      {
        today: testDay,
      },
    );
    expect(changes).toMatchObject([{ rule: "type-changed", pointer: "Thing.yaml#" }]);
    expect(await problem("git::staged/no.yaml")).toContain("does not exist in the index of git");
  });

  test("whose references use the URIs in $self stays local", async () => {
    const self = "https://api.example/v1/openapi.yaml";
    const named = {
      ...referring("https://api.example/v1/parts/Thing.yaml#/Thing"),
      openapi: "3.2.0",
      $self: self,
      components: { schemas: { Own: { type: "string" } } },
    };
    const byUri = file("self/openapi.yaml", JSON.stringify(named));
    const part = (reference: string) =>
      `$self: https://api.example/v1/parts/Thing.yaml\nThing: { type: object, properties: { own: { $ref: "${reference}" } } }`;
    file("self/parts/Thing.yaml", part(`${self}#/components/schemas/Own`));
    const document = await load(byUri);
    expect([...document.files.keys()].length).toBe(2);
    const { $self: _, ...plain } = { ...named, ...referring("parts/Thing.yaml#/Thing") };
    const byPath = file("plain/openapi.yaml", JSON.stringify({ ...plain, openapi: "3.2.0" }));
    file("plain/parts/Thing.yaml", part("../openapi.yaml#/components/schemas/Own"));
    const { changes } = compareDocuments(document, await load(byPath), { today: testDay });
    expect(changes).toEqual([]);
    const elsewhere = {
      ...named,
      ...referring("https://other.example/Thing.yaml"),
      openapi: "3.2.0",
    };
    expect(await problem(file("self/other.yaml", JSON.stringify(elsewhere)))).toContain(
      "another host",
    );
  });

  test("is read from a git revision, and compared with the working files", async () => {
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder });
    git("init", "-q");
    expect(await problem("git:HEAD:many/openapi.yaml")).toContain("there is no such revision");
    git("add", "many");
    git("commit", "-q", "-m", "First");
    expect(await problem("git:HEAD:many/no.yaml")).toContain("does not exist in HEAD");
    const base = await load("git:HEAD:many/openapi.yaml");
    file("many/schemas/Other.yaml", "part: {type: integer}\n");
    const { changes } = compareDocuments(base, await load(main), { today: testDay });
    expect(changes).toMatchObject([
      { rule: "type-changed", place: "GET /things schemas/Other.yaml#/part" },
    ]);
  });
});

describe("a reference at a place without references in OpenAPI, which bundlers replace", () => {
  const header = { schema: { type: "string" } };
  const fine = (headers: unknown) => ({ description: "Fine.", headers });
  const whole = {
    openapi: "3.1.0",
    info: { title: "Test", version: "1" },
    paths: {
      "/things": {
        get: {
          parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
          responses: {
            200: fine({ Age: header, Link: header }),
            400: { description: "Bad." },
            404: { description: "None." },
          },
        },
      },
    },
    components: { schemas: { Thing: { properties: { get: { type: "string" } } } } },
  };
  const split = {
    "openapi.json": {
      openapi: "3.1.0",
      info: { $ref: "info.json" },
      paths: { $ref: "paths.json" },
      components: { $ref: "components.json" },
    },
    "info.json": whole.info,
    "paths.json": { "/things": { get: { $ref: "get.json" } } },
    "get.json": {
      parameters: { $ref: "parameters.json" },
      responses: { $ref: "errors.json", 200: fine({ $ref: "headers.json", Link: header }) },
    },
    "parameters.json": whole.paths["/things"].get.parameters,
    "errors.json": { $ref: "error.json", 400: { description: "Bad." } },
    "error.json": { 400: { description: "Hidden." }, 404: { description: "None." } },
    "headers.json": { Age: header },
    "components.json": { schemas: { Thing: { properties: { get: { $ref: "text.json" } } } } },
    "text.json": { type: "string" },
  };
  const main = (name: string, files: Readonly<Record<string, unknown>>): string => {
    for (const [path, content] of Object.entries(files)) file(`${name}/${path}`, content);
    return join(folder, name, "openapi.json");
  };

  test("represents its target, and members next to it come first", async () => {
    const [before, after] = [await load(file("whole.json", whole)), await load(main("a", split))];
    for (const [base, revision] of [
      [before, after],
      [after, before],
    ] as const) {
      expect(compareDocuments(base, revision, { today: testDay }).changes).toEqual([]);
    }
  });

  test("does not hide a change in its target, and is reported with the file", async () => {
    const changed = main("b", { ...split, "headers.json": {}, "error.json": {} });
    const { changes } = compareDocuments(await load(main("a", split)), await load(changed), {
      today: testDay,
    });
    expect(changes.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      "response-header-removed headers.json#/Age",
      "error-status-removed error.json#/404",
    ]);
  });

  test.each([
    ["missing", { "headers.json": { $ref: "no.json" } }, "leads to a file that does not exist"],
    [
      "circular",
      { "errors.json": { $ref: "error.json" }, "error.json": { $ref: "errors.json" } },
      "leads back to itself",
    ],
    ["of a list", { "headers.json": [] }, "$ref headers.json does not lead to an object"],
  ])("that is %s is an error", async (name, files, expected) => {
    expect(await problem(main(name, { ...split, ...files }))).toContain(expected);
  });
});

describe("a document behind a URL", () => {
  const other = createServer((_, response) => response.end('{"a":{"type":"string"}}'));
  const server = createServer((request, response) => {
    const to = (location: string) => response.writeHead(302, { location }).end();
    const document = (reference: string) => response.end(JSON.stringify(referring(reference)));
    const pages: Readonly<Record<string, () => unknown>> = {
      "/openapi.json": () => document("other.json#/a"),
      "/other.json": () => response.end('{"a":{"type":"string"}}'),
      "/moved.json": () => to("/openapi.json"),
      "/leaving.json": () => document("away.json#/a"),
      "/away.json": () => to(`${urlOf(other)}/a.json`),
      "/loop.json": () => to("/loop.json"),
      "/local.json": () => to("file:///etc/passwd"),
      "/large.json": () => response.writeHead(200, { "content-length": 2 ** 40 }).write("{"),
      "/cut.json": () => {
        response.writeHead(200, { "content-length": 100 }).write("{");
        setImmediate(() => response.destroy());
      },
    };
    (pages[request.url ?? ""] ?? (() => response.writeHead(404).end()))();
  });
  const urlOf = (each: typeof server) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
  beforeAll(async () => {
    for (const each of [server, other]) {
      await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
    }
  });
  afterAll(() => {
    for (const each of [server, other]) {
      each.closeAllConnections();
      each.close();
    }
  });

  test("is read with files of the same host", async () => {
    const url = urlOf(server);
    expect((await load(`${url}/openapi.json`)).files.size).toBe(2);
    expect((await load(`${url}/moved.json`)).files.size).toBe(2);
    const remote = file("allowed.json", referring(`${url}/other.json#/a`));
    expect(await problem(remote)).toContain("allow it with --allow-remote-refs");
    expect((await load(remote, { allowRemoteReferences: true })).files.size).toBe(2);
  });

  test("does not follow a redirect to another host", async () => {
    const leaving = `${urlOf(server)}/leaving.json`;
    expect(await problem(leaving)).toMatch(/away\.json.* redirects to .* another host/);
    expect((await load(leaving, { allowRemoteReferences: true })).files.size).toBe(2);
  });

  test.each([
    ["absent.json", "is answered with 404"],
    ["loop.json", "redirects more than 5 times"],
    ["local.json", "redirects to file:///etc/passwd, which is no URL of a web server"],
    ["large.json", "is larger than 32 MB"],
    ["cut.json", "cannot be fetched"],
  ])("%s reports why it cannot be read", async (path, expected) => {
    expect(await problem(`${urlOf(server)}/${path}`)).toContain(expected);
  });

  test("reports that the server does not respond in time", async () => {
    const timesOut = () => Promise.reject(new DOMException("Timed out.", "TimeoutError"));
    await expect(load("http://127.0.0.1/a.json", { fetch: timesOut })).rejects.toThrow(
      "is not answered within 60 seconds",
    );
  });
});
