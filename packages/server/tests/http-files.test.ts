import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ByteRange } from "../src/blobs/byte-range.ts";
import type { FileContent } from "../src/calls/answer.ts";
import { startSmallApp, type SmallOperation } from "./support/small-app.ts";

const text = "id,name\n1,Ümlaut\n";
const bytes = Buffer.from(text);
const csv = (name: string, tag?: string): FileContent => ({
  name,
  mediaType: "text/csv",
  ...(tag === undefined ? {} : { tag }),
  bytes: bytes.length,
  open: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
    Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
});

const fileOperation = (
  file: () => FileContent | Promise<FileContent>,
  more: Partial<SmallOperation> = {},
): SmallOperation => ({
  answer: "file",
  answersAs: ["text/csv"],
  ...more,
  handle: async () => ({ kind: "file", file: await file() }),
});

describe("a file", () => {
  test("is returned unchanged, with its type, length and name", async () => {
    const { url, exchanges } = await startSmallApp({ file: fileOperation(() => csv("a.csv")) });
    const response = await fetch(`${url}/file`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/csv",
      "content-length": String(bytes.length),
      "content-disposition": 'attachment; filename="a.csv"',
      "x-trace-id": expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(response.headers.has("accept-ranges")).toBe(false);
    expect(await response.text()).toBe(text);
    expect(exchanges).toMatchObject([{ status: 200, body: "", envelope: false }]);
  });

  test.each([
    ['say "no"/..\\x.csv', "say _no__.._x.csv", "say%20%22no%22%2F..%5Cx.csv"],
    [
      "Bericht für Köln (1).csv",
      "Bericht f_r K_ln (1).csv",
      "Bericht%20f%C3%BCr%20K%C3%B6ln%20%281%29.csv",
    ],
    ["a\r\nset-cookie: b", "a__set-cookie: b", "a%0D%0Aset-cookie%3A%20b"],
    ["half \ud800", "half _", "half%20%EF%BF%BD"],
  ])("called %j keeps its name for clients that support it", async (name, plain, encoded) => {
    const { url } = await startSmallApp({ file: fileOperation(() => csv(name)) });
    const response = await fetch(`${url}/file`);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    );
    await response.text();
  });

  test("is available in its own media type only", async () => {
    const { url } = await startSmallApp({
      file: fileOperation(() => csv("a.csv"), { answersAs: ["text/csv", "application/json"] }),
    });
    const ask = (accept: string) => fetch(`${url}/file`, { headers: { accept } });
    expect((await ask("text/*")).status).toBe(200);
    const never = await ask("image/png");
    expect([never.status, never.headers.get("content-type")]).toEqual([
      406,
      "application/json; charset=utf-8",
    ]);
    // A documented type, but not that of this file.
    expect((await ask("application/json")).status).toBe(406);
  });

  test("of a type that is not in the document is a server error", async () => {
    const lines: string[] = [];
    const { url } = await startSmallApp(
      { file: fileOperation(() => csv("a.csv"), { answersAs: ["application/pdf"] }) },
      { log: (line) => lines.push(line) },
    );
    expect((await fetch(`${url}/file`)).status).toBe(500);
    expect(lines.join("")).toContain("does not respond as text/csv");
  });

  test("that cannot be opened is an ordinary error", async () => {
    const { url } = await startSmallApp({
      file: fileOperation(() => ({
        name: "a",
        mediaType: "text/csv",
        bytes: 1,
        open: () => Promise.reject(new Error("gone")),
      })),
    });
    const response = await fetch(`${url}/file`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ errors: [{ code: 500 }] });
  });

  test("that is interrupted closes the connection", async () => {
    const { url } = await startSmallApp({
      file: fileOperation(() => ({
        name: "a",
        mediaType: "text/csv",
        bytes: 1_000,
        open: () =>
          Readable.from(
            (async function* () {
              yield Buffer.from("half");
              throw new Error("disk");
            })(),
          ),
      })),
    });
    await expect(fetch(`${url}/file`).then((response) => response.text())).rejects.toThrow();
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  });
});

describe("parts of a file", () => {
  const start = (tag?: string) => {
    const folder = mkdtempSync(join(tmpdir(), "secplat-files-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "a.csv");
    writeFileSync(path, text);
    const onDisk = {
      name: "a.csv",
      mediaType: "text/csv",
      bytes: bytes.length,
      open: (range?: ByteRange) => createReadStream(path, range ?? {}),
    };
    return startSmallApp({
      disk: fileOperation(() => onDisk, { ranges: true }),
      memory: fileOperation(() => csv("a.csv", tag), { ranges: true }),
      whole: fileOperation(() => csv("a.csv", tag)),
    });
  };
  const last = bytes.length - 1;

  test.each([
    ["bytes=0-0", 0, 0],
    ["bytes=3-6", 3, 6],
    ["bytes=10-", 10, last],
    ["bytes=-4", last - 3, last],
    ["bytes=-4000", 0, last],
    ["Bytes = 3 - 4000", 3, last],
  ])("%s", async (range, from, to) => {
    const { url } = await start();
    for (const name of ["disk", "memory"]) {
      const response = await fetch(`${url}/${name}`, { headers: { range } });
      expect(response.status).toBe(206);
      expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to}/${bytes.length}`);
      expect(response.headers.get("content-length")).toBe(String(to - from + 1));
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(from, to + 1));
    }
  });

  test.each(["bytes=5-2", "bytes=", "bytes=-", "lines=1-2", "bytes=0-1,3-4", "bytes=a-b"])(
    "%s is not a single satisfiable range: the complete file",
    async (range) => {
      const { url } = await start();
      const response = await fetch(`${url}/memory`, { headers: { range } });
      expect([response.status, await response.text()]).toEqual([200, text]);
      expect(response.headers.get("accept-ranges")).toBe("bytes");
    },
  );

  test.each(["bytes=4000-", "bytes=-0", `bytes=${bytes.length}-`])(
    "%s is beyond the end",
    async (range) => {
      const { url } = await start();
      const response = await fetch(`${url}/memory`, { headers: { range } });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${bytes.length}`);
      expect(await response.json()).toMatchObject({ errors: [{ code: 416 }] });
    },
  );

  test("are returned only for the version of the file that the client has", async () => {
    const { url } = await start("v2");
    const ask = (condition: string) =>
      fetch(`${url}/memory`, { headers: { range: "bytes=0-1", "if-range": condition } });
    const same = await ask('"v2"');
    expect([same.status, same.headers.get("etag")]).toEqual([206, '"v2"']);
    expect((await ask('"v1"')).status).toBe(200);
    expect((await ask("Sat, 21 Nov 2026 00:00:00 GMT")).status).toBe(200);
  });

  test.each(['"v2"', 'W/"v2"', "*", '"v1", "v2"', 'W/"v1",W/"v2"'])(
    "a caller with %s gets no copy, whatever the range",
    async (ifNoneMatch) => {
      const { url, exchanges } = await start("v2");
      for (const range of ["bytes=0-1", "bytes=4000-"]) {
        const headers = { "if-none-match": ifNoneMatch, "if-range": '"v2"', range };
        const response = await fetch(`${url}/memory`, { headers });
        expect([response.status, response.headers.get("etag")]).toEqual([304, '"v2"']);
        expect(response.headers.get("content-range")).toBeNull();
        expect(response.headers.get("x-trace-id")).not.toBeNull();
        expect(await response.text()).toBe("");
      }
      expect(exchanges).toMatchObject([{ status: 304 }, { status: 304 }]);
    },
  );

  test.each(['"v1"', "v2", '"v2', "W/*"])("a caller with %s gets the file", async (ifNoneMatch) => {
    const { url } = await start("v2");
    const response = await fetch(`${url}/memory`, { headers: { "if-none-match": ifNoneMatch } });
    expect([response.status, await response.text()]).toEqual([200, text]);
  });

  test("are not returned if the document has none", async () => {
    const { url } = await start("v2");
    const response = await fetch(`${url}/whole`, { headers: { range: "bytes=0-1" } });
    expect([response.status, response.headers.get("etag")]).toEqual([200, null]);
    await response.text();
  });
});

test("a HEAD returns the headers only", async () => {
  const { url, exchanges } = await startSmallApp({
    ticket: {
      method: "head",
      answer: "none",
      answersAs: [],
      handle: () => ({ kind: "none", headers: { "x-scan-ticket": "sct_1" } }),
    },
  });
  const response = await fetch(`${url}/ticket`, { method: "HEAD" });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-scan-ticket")).toBe("sct_1");
  expect(response.headers.get("content-type")).toBeNull();
  expect(response.headers.get("x-trace-id")).not.toBeNull();
  expect(exchanges).toMatchObject([{ status: 200, body: "" }]);
});

test("header parameters have the types of the document", async () => {
  const { url } = await startSmallApp({
    scan: {
      parameters: [
        {
          name: "X-Scan-Ticket",
          in: "header",
          required: true,
          schema: { type: "string", minLength: 3 },
        },
        { name: "X-Depth", in: "header", required: false, schema: { type: "integer", default: 4 } },
      ],
      answer: "object",
      handle: ({ headers }) => ({ kind: "object", object: headers }),
    },
  });
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${url}/scan`, { headers })).json() as Promise<object>;
  expect(await ask({ "x-scan-ticket": "abc" })).toEqual({ "X-Scan-Ticket": "abc", "X-Depth": 4 });
  expect(await ask({ "x-scan-ticket": "abc", "x-depth": "9" })).toMatchObject({ "X-Depth": 9 });
  expect(await ask({ "x-depth": "deep" })).toMatchObject({
    errors: [
      { message: 'header.X-Depth: expected an integer, got "deep"' },
      { message: "header.X-Scan-Ticket: is required" },
    ],
  });
});
