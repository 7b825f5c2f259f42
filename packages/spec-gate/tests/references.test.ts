import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { formats } from "../src/command-line.ts";
import { runCommand } from "../src/command.ts";
import { loadDocument } from "../src/read/load-document.ts";
import { inFolder, writeDocument } from "../src/read/write-document.ts";
import { testDay } from "../src/testing/documents.ts";

/** A repository, and files beside it that nobody may see. */
const top = mkdtempSync(join(tmpdir(), "spec-gate-references-"));
const repository = join(top, "repository");
const api = join(repository, "api");
const word = "correct-horse";
const secret = `type: string\nenum: [${word}]\n`;

function write(path: string, content: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const document = (schema: unknown, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Things", version: "1.0.0" },
  paths: {
    "/things": {
      get: {
        responses: {
          200: { description: "Fine.", content: { "application/json": { schema, ...more } } },
        },
      },
    },
  },
});

const base = write(join(api, "base.json"), document({ type: "string" }));
write(join(top, "secret.yaml"), secret);
write(join(top, "loose/openapi.json"), document({ $ref: "../secret.yaml" }));
write(join(repository, "shared/thing.yaml"), "type: string\n");
write(join(repository, ".git/secret.yaml"), secret);

let names = 0;
const revision = (schema: unknown, more?: object) =>
  write(join(api, `revision-${++names}.json`), document(schema, more));

const run = (...words: readonly string[]) => runIn(api, words);

async function runIn(folder: string, words: readonly string[]) {
  let output = "";
  const code = await runCommand(words, {
    stdout: { write: (part) => (output += part) },
    stderr: { write: (part) => (output += part) },
    folder,
    fetch,
    now: () => testDay,
  });
  return { code, output };
}

describe("a reference out of the repository", () => {
  const outside = "leads out of the repository; if the file may be read, allow it with";
  const named: readonly (readonly [string, string, string?])[] = [
    ["with dots", "../../secret.yaml"],
    ["with escaped dots", "%2e%2e/%2e%2e%2fsecret.yaml"],
    ["by its absolute path", join(top, "secret.yaml")],
    ["by its URL", pathToFileURL(join(top, "secret.yaml")).href],
    ["to a file that may not exist", "/etc/no/such/file.yaml"],
    ["to the configuration of git", "../.git/secret.yaml", "leads into a folder .git"],
  ];

  test.each(named)("%s is refused, and no report shows the file", async (_, reference, reason) => {
    const path = revision({ $ref: reference });
    for (const format of formats) {
      for (const pair of [
        [base, path],
        [path, base],
      ]) {
        const { code, output } = await run(...pair, "--format", format);
        expect(output).toContain(`${path}#/paths/~1things/get/`);
        expect(output).toContain(`$ref ${reference} ${reason ?? outside}`);
        expect(output).not.toContain(word);
        expect(code).toBe(2);
      }
    }
  });

  testWith("symbolic links")("through a symbolic link is refused", async () => {
    symlinkSync(join(top, "secret.yaml"), join(api, "link.yaml"));
    symlinkSync(top, join(api, "folder"));
    for (const reference of ["link.yaml", "folder/secret.yaml"]) {
      const { code, output } = await run(base, revision({ $ref: reference }));
      expect([code, output]).toEqual([2, expect.stringContaining(outside)]);
      expect(output).not.toContain(word);
    }
  });

  testWith("symbolic links")("as a document or approvals is also refused", async () => {
    symlinkSync(join(top, "secret.yaml"), join(api, "document.yaml"));
    const link = join(api, "document.yaml");
    for (const words of [
      [base, link],
      [link, base],
      [base, base, "--approvals", link],
      [base, base, "--with-server", link],
    ]) {
      const { code, output } = await run(...words);
      expect([code, output]).toEqual([2, expect.stringContaining(outside)]);
      expect(output).not.toContain(word);
    }
  });

  test("is allowed within the folder of --refs-within", async () => {
    const path = revision({ $ref: "../../secret.yaml" });
    const { code, output } = await run(base, path, "--refs-within", "../..");
    expect([code, output]).toEqual([0, expect.stringContaining("enumeration-added, response")]);
    expect((await run(base, path, "--refs-within", "../shared")).code).toBe(2);
  });

  test("is one out of the document's folder without a repository", async () => {
    const { code, output } = await run(base, join(top, "loose/openapi.json"));
    expect([code, output]).toEqual([
      2,
      expect.stringContaining("leads out of the folder of the document"),
    ]);
  });

  test("may lead to another folder of the repository", async () => {
    for (const reference of ["../shared/thing.yaml", join(repository, "shared/thing.yaml")]) {
      const { code, output } = await run(base, revision({ $ref: reference }));
      expect([code, output]).toEqual([0, expect.stringContaining("nothing changed")]);
    }
  });
});

describe("a reference in a git revision", () => {
  const folder = join(top, "history");
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder });
  const load = (path: string) => loadDocument(`git:HEAD:${path}`, { fetch, folder });

  beforeAll(() => {
    write(join(folder, "secret.yaml"), secret);
    mkdirSync(join(folder, "api/etc"), { recursive: true });
    write(join(folder, "api/etc/secret.yaml"), secret);
    for (const [name, reference] of [
      ["up", "../../secret.yaml"],
      ["absolute", "/etc/secret.yaml"],
      ["url", "file:///etc/secret.yaml"],
      ["lines", "x.yaml\nHEAD:secret.yaml"],
    ] as const) {
      write(join(folder, `api/${name}.json`), document({ $ref: reference }));
    }
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "First");
  });

  test.each(["up", "absolute", "url"])("stays in the repository: %s", async (name) => {
    const { files } = await load(`api/${name}.json`);
    expect(files.size).toBe(1);
    const words = [`git:HEAD:api/${name}.json`, base];
    const { code, output } = await runIn(folder, words);
    expect([code, output]).toEqual([2, expect.stringContaining("leads out of the repository")]);
    expect(output).not.toContain(word);
  });

  test("names one file only", async () => {
    expect((await load("api/lines.json")).files.size).toBe(1);
    await expect(load("../secret.yaml")).rejects.toThrow("leads out of the repository");
  });
});

describe("other programs", () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end(secret);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  test("get a document without references to files that were refused", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret.yaml`;
    const file = join(top, "secret.yaml");
    const hidden = (reference: string) => ({
      examples: { data: { value: { $ref: reference } }, file: { externalValue: reference } },
    });
    const schema = {
      discriminator: { propertyName: "kind", mapping: { a: "Thing", b: file } },
      oneOf: [{ type: "string" }],
    };
    for (const reference of [file, pathToFileURL(file).href, "../../secret.yaml", url]) {
      const path = revision(schema, hidden(reference));
      const written = await inFolder(async (folder) =>
        readFileSync(
          writeDocument(await loadDocument(path, { fetch, folder: api }), folder),
          "utf8",
        ),
      );
      expect(written).not.toContain(reference);
      expect(written).toContain('"mapping":{"a":"Thing"}');
    }
    const { output } = await run(base, revision({ type: "number" }, hidden(url)));
    expect(output).not.toContain(word);
    expect(asked).toBe(0);
  });

  test("get copies of all files, also of those with an absolute path", async () => {
    const path = revision({ $ref: join(repository, "shared/thing.yaml") });
    const written = await inFolder(async (folder) =>
      readFileSync(writeDocument(await loadDocument(path, { fetch, folder: api }), folder), "utf8"),
    );
    expect(written).toContain('"$ref":"./../shared/thing.yaml"');
  });
});
