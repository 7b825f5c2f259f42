/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "../src/command.ts";
import { testDay } from "../src/testing/documents.ts";
import { thingsApi, type Things } from "./servers/things-api.ts";
import { thingsServer } from "./servers/things-server.ts";

const folder = mkdtempSync(join(tmpdir(), "spec-gate-servers-"));
const casesProgram = fileURLToPath(new URL("servers/cases.ts", import.meta.url));
const open: Server[] = [];
afterAll(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
});

async function serverOf(things: Things): Promise<string> {
  const server = thingsServer(thingsApi(things));
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let files = 0;
function file(content: unknown): string {
  const path = join(folder, `${(files += 1)}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

interface Run {
  /** The documents. */
  readonly old: Things;
  readonly new: Things;
  /** The behaviour of the servers, if it differs from their documents. */
  readonly oldServer?: Things;
  readonly newServer?: Things;
}

/** Gates two documents, with a server for each and the cases of each. */
async function gated(run: Run) {
  const side = async (document: string, server: Things) => ({
    server: await serverOf(server),
    cases: [process.execPath, casesProgram, document, "{server}", "{junit}"],
  });
  const [base, revision] = [file(thingsApi(run.old)), file(thingsApi(run.new))];
  const sides = file({
    old: await side(base, run.oldServer ?? run.old),
    new: await side(revision, run.newServer ?? run.new),
  });
  return command([base, revision, "--with-server", sides]);
}

async function command(words: readonly string[]) {
  let output = "";
  const write = (part: string) => (output += part);
  const code = await runCommand(words, {
    stdout: { write },
    stderr: { write },
    folder,
    fetch,
    now: () => testDay,
  });
  return { code, output };
}

const text = { type: "string" };
const first: Things = {
  sent: { name: { ...text, maxLength: 20 } },
  required: ["name"],
  read: { name: text },
  example: { name: "a long name" },
};
const withSize: Things = { ...first, sent: { ...first.sent, size: text } };
const short: Things = {
  ...first,
  sent: { name: { ...text, maxLength: 5 } },
  example: { name: "a" },
};

describe("a change that is safe", () => {
  test("passes if the new server supports it", async () => {
    const { code, output } = await gated({ old: first, new: withSize });
    expect(code).toBe(0);
    expect(output).toContain(
      "2 contract cases of the old document ran against the new server: 0 failed",
    );
  });

  test("is breaking if the new server rejects requests that the old document shows", async () => {
    const { code, output } = await gated({
      old: first,
      new: withSize,
      newServer: { ...withSize, required: ["name", "size"] },
    });
    expect(code).toBe(1);
    expect(output).toContain(
      'contract-case-fails, response: the old contract case "createThing 201 for its example" fails against the new server; the documents differ there only in what is safe: property-added (expected 201, got 400)',
    );
  });

  test("is breaking if the new server's responses match neither document", async () => {
    const { code, output } = await gated({
      old: first,
      new: first,
      newServer: { ...first, read: { title: text } },
    });
    expect(code).toBe(1);
    expect(output).toContain("POST /things");
    expect(output).toContain("the documents do not differ there");
  });

  test("is noted if clients of the new document fail against the old server", async () => {
    const { code, output } = await gated({
      old: first,
      new: { ...first, read: { name: text, size: text } },
    });
    expect(code).toBe(0);
    expect(output).toContain(
      "2 contract cases of the new document fail against the old server, as clients of the new one would: createThing 201 for its example, listThings 200 with all things",
    );
  });
});

describe("a change that is breaking", () => {
  test("explains the failing old cases of its operation", async () => {
    const { code, output } = await gated({ old: first, new: short });
    expect(code).toBe(1);
    expect(output).toContain("max-length-lowered");
    expect(output).not.toContain("contract-case-fails");
    expect(output).toContain("1 failed, 1 of them as breaking changes explain");
  });

  test("is noted if the new server does not implement it", async () => {
    const { code, output } = await gated({ old: first, new: short, newServer: first });
    expect(code).toBe(1);
    expect(output).toContain("breaking, although no old case fails for it");
    expect(output).toContain("max-length-lowered (1)");
  });
});

test("a case that also fails against its own server is not a change", async () => {
  const { code, output } = await gated({
    old: first,
    oldServer: short,
    new: withSize,
    newServer: short,
  });
  expect(code).toBe(0);
  expect(output).toContain(
    "1 contract cases also fail against the old server, and are no change: createThing",
  );
});

describe("an invalid file of servers", () => {
  const document = file(thingsApi(first));
  const side = (script: string) => ({
    server: "http://127.0.0.1:8080",
    cases: [
      process.execPath,
      "-e",
      `const junit = process.argv.at(-1); ${script}`,
      "-",
      "{server}",
      "{junit}",
    ],
  });
  const writing = (xml: string) =>
    `require("node:fs").writeFileSync(junit, ${JSON.stringify(xml)});`;
  test.each([
    ["has no server", { old: {} }, "expected old.server, the URL of a server"],
    ["has no command", { old: { server: "http://a.example" } }, "expected old.cases, a command"],
    ["has a command without a report", { old: side(""), new: side("") }, "wrote no report"],
    [
      "has a command with a broken report",
      { old: side(writing("<testsuites>")), new: side("") },
      "is no JUnit report",
    ],
    [
      "has a command without cases",
      {
        old: side(writing("<testsuite><testcase name='a'><skipped/></testcase></testsuite>")),
        new: side(""),
      },
      "ran no case",
    ],
    [
      "has a program that does not exist",
      { old: { ...side(""), cases: ["no-such-program", "{server}", "{junit}"] }, new: side("") },
      "wrote no report: spawn no-such-program",
    ],
  ])("because it %s", async (_, sides, expected) => {
    const { code, output } = await command([document, document, "--with-server", file(sides)]);
    expect([code, output]).toEqual([2, expect.stringContaining(expected)]);
  });
});
