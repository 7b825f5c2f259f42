import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareDocuments } from "../compare/compare-documents.ts";
import { testDay } from "../testing/documents.ts";
import { loadDocument } from "./load-document.ts";

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
    compareDocuments(document, await load(text), { today: testDay });
    return "none";
  } catch (error) {
    expect(error).toHaveProperty("name", "CannotJudge");
    return (error as Error).message.replaceAll(folder, "").replaceAll("\\", "/");
  }
}

describe("a document that cannot be judged", () => {
  it.each([
    ["broken.json", '{"openapi": "3.1.0",', "neither JSON nor YAML"],
    ["broken.yaml", "openapi: 3.1.0\npaths: [", "broken.yaml:"],
    ["twice.yaml", "openapi: 3.1.0\nopenapi: 3.0.0\npaths: {}", "duplicated mapping key"],
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
  ])("%s says why", async (name, content, expected) => {
    expect(await problem(file(name, content))).toContain(expected);
  });

  it("says that a base does not exist", async () => {
    expect(await problem(join(folder, "absent.yaml"))).toBe("/absent.yaml does not exist");
    expect(await problem(folder)).toContain("is a folder");
    expect(await problem("git:main")).toContain("expected git:REVISION:PATH");
  });
});

describe("a document of several files", () => {
  const main = file("many/openapi.yaml", referring("schemas/Thing.yaml"));
  file("many/schemas/Thing.yaml", "type: object\nproperties:\n  other: {$ref: Other.yaml#/part}");
  file("many/schemas/Other.yaml", "part: {type: string}\n");

  it("is read with all of them", async () => {
    const document = await load(main);
    expect(document.files.size).toBe(3);
    expect(compareDocuments(document, await load(main), { today: testDay }).changes).toEqual([]);
  });

  it("is read from a git revision, and compared with the working files", async () => {
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

describe("a document behind a URL", () => {
  const server = createServer((request, response) => {
    if (request.url === "/openapi.json") response.end(JSON.stringify(referring("other.json#/a")));
    else if (request.url === "/other.json") response.end('{"a":{"type":"string"}}');
    else response.writeHead(404).end();
  });
  afterAll(() => server.close());

  it("is read with files of the same host", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await load(`${url}/openapi.json`)).files.size).toBe(2);
    expect(await problem(`${url}/absent.json`)).toContain("is answered with 404");
    const remote = file("allowed.json", referring(`${url}/other.json#/a`));
    expect(await problem(remote)).toContain("allow it with --allow-remote-refs");
    expect((await load(remote, { allowRemoteReferences: true })).files.size).toBe(2);
  });
});
