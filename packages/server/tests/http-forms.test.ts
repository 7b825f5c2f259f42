import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buffer, text as textOf } from "node:stream/consumers";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Answer } from "../src/calls/answer.ts";
import { incomingPrefix } from "../src/blobs/incoming.ts";
import type { UploadedFile } from "../src/calls/call.ts";
import { sendTarget } from "./support/raw-request.ts";
import { startSmallApp, type SmallCall } from "./support/small-app.ts";

/** A separate folder for temporary files, so that the test detects remaining files. */
let temporary: string;
beforeEach(() => {
  const usual = process.env["TMPDIR"];
  temporary = mkdtempSync(join(tmpdir(), "secplat-forms-"));
  process.env["TMPDIR"] = temporary;
  onTestFinished(() => {
    if (usual === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = usual;
    rmSync(temporary, { recursive: true, force: true });
  });
});

const schema = {
  type: "object",
  additionalProperties: false,
  required: ["case_id", "file"],
  properties: {
    case_id: { type: "string", pattern: "^c[0-9]+$", title: "a case id" },
    dry_run: { type: "boolean", default: false },
    tags: { type: "array", maxItems: 2, items: { type: "string" } },
    file: { type: "string", format: "binary", minLength: 1 },
  },
};

const start = (
  handle: (call: SmallCall) => Promise<Answer> | Answer = ({ body, files: { file } }) => ({
    kind: "object",
    object: { body, name: file?.name, mediaType: file?.mediaType, bytes: file?.bytes },
  }),
  uploadBytes = 1_000_000,
) =>
  startSmallApp(
    {
      upload: {
        method: "post",
        answer: "object",
        requestBody: { required: true, content: { "multipart/form-data": schema } },
        parameters: [{ name: "mode", in: "query", required: false, schema: { type: "integer" } }],
        handle,
      },
    },
    { limits: { uploadBytes } },
  );

type Part = readonly [name: string, value: string | Blob, fileName?: string];

const file: Part = ["file", new Blob(["content"], { type: "text/plain" }), "a.txt"];
const caseId: Part = ["case_id", "c1"];

async function send(url: string, parts: readonly Part[], query = "") {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, fileName);
  }
  const response = await fetch(`${url}/upload${query}`, { method: "POST", body: form });
  return { status: response.status, body: (await response.json()) as object };
}

const messages = (body: object): readonly string[] =>
  (body as { errors: readonly { message: string }[] }).errors.map(({ message }) => message);

/** Folders of uploads; the blob store of the test lies there as well. */
const leftOver = (): readonly string[] =>
  readdirSync(temporary, { recursive: true })
    .map(String)
    .filter((path) => basename(path).startsWith(incomingPrefix));

test("texts have the types of the document, the file has name, type and size", async () => {
  const { url } = await start();
  const parts: Part[] = [caseId, ["dry_run", "true"], ["tags", "a"], ["tags", "b"], file];
  expect(await send(url, parts)).toEqual({
    status: 200,
    body: {
      body: { case_id: "c1", dry_run: true, tags: ["a", "b"] },
      name: "a.txt",
      mediaType: "text/plain",
      bytes: 7,
    },
  });
  expect(await send(url, [file, caseId])).toMatchObject({
    status: 200,
    body: { body: { case_id: "c1", dry_run: false } },
  });
});

test("the handler gets the file on disk with its digest, and it is deleted afterwards", async () => {
  const content = Buffer.alloc(700_000, "0123456789");
  const { url } = await start(async ({ files }) => {
    const received = files["file"] as UploadedFile;
    expect(leftOver()).toHaveLength(1);
    expect(await buffer(received.open())).toEqual(content);
    return { kind: "object", object: { sha256: received.sha256 } };
  });
  expect(await send(url, [caseId, ["file", new Blob([content]), "big.bin"]])).toEqual({
    status: 200,
    body: { sha256: createHash("sha256").update(content).digest("hex") },
  });
  expect(leftOver()).toEqual([]);
});

test("a file that the blob store takes over remains", async () => {
  const { url } = await start(async ({ files, context: { blobs } }) => {
    const received = files["file"] as UploadedFile;
    await received.keep();
    const content = await textOf(await blobs.open(received.sha256));
    return { kind: "object", object: { content } };
  });
  expect(await send(url, [caseId, file])).toEqual({ status: 200, body: { content: "content" } });
  expect(leftOver()).toEqual([]);
});

test("a handler that throws leaves no file behind", async () => {
  const { url } = await start(() => Promise.reject(new Error("broken")));
  expect((await send(url, [caseId, file])).status).toBe(500);
  expect(leftOver()).toEqual([]);
});

test.each<[string, string]>([
  ["../../etc/passwd", "passwd"],
  ['say "hi"\r\nand\n\nbye.txt', 'say "hi"\r\nand\n\nbye.txt'],
  ["100%25 %20 %2F.txt", "100%25 %20 %2F.txt"],
  ["C:\\fakepath\\a.txt", "a.txt"],
  ["Köln (1).txt", "Köln (1).txt"],
])("a file called %s is called %s", async (given, known) => {
  const { url } = await start();
  const answer = await send(url, [caseId, ["file", new Blob(["x"]), given]]);
  expect(answer.body).toMatchObject({ name: known });
});

test("all problems of a form are reported at once", async () => {
  const { url } = await start();
  const wrong: Part[] = [
    ["case_id", "x1"],
    ["dry_run", "perhaps"],
    ["tags", "a"],
    ["tags", "b"],
    ["tags", "c"],
    ["case-id", "c1"],
    ["fiel", new Blob(["x"]), "a.txt"],
  ];
  const answer = await send(url, wrong);
  expect(answer.status).toBe(400);
  expect(messages(answer.body).toSorted()).toEqual([
    "body.case-id: unknown field; did you mean case_id?",
    'body.case_id: expected a case id, got "x1"',
    'body.dry_run: expected true or false, got "perhaps"',
    "body.fiel: unknown field; did you mean file?",
    "body.file: is required",
    'body.tags: expected at most 2 items, got ["a","b","c"]',
  ]);
  expect(leftOver()).toEqual([]);
});

test.each<[string, readonly Part[], string]>([
  ["no case", [file], "body.case_id: is required"],
  ["a text for the file", [caseId, ["file", "content"]], "body.file: expected a file, got a text"],
  [
    "a file for a text",
    [["case_id", new Blob(["c1"]), "c.txt"], file],
    "body.case_id: expected a text, got a file",
  ],
  ["two files", [caseId, file, file], "body.file: expected one file, got 2"],
  ["two cases", [caseId, caseId, file], "body.case_id: expected one value, got 2"],
  [
    "an empty file",
    [caseId, ["file", new Blob([]), "a.txt"]],
    "body.file: expected a file with content, got an empty one",
  ],
])("%s is rejected", async (_what, parts, message) => {
  const { url } = await start();
  const answer = await send(url, parts);
  expect([answer.status, messages(answer.body)]).toEqual([400, [message]]);
  expect(leftOver()).toEqual([]);
});

test("an invalid parameter is reported before the file is read", async () => {
  const { url } = await start();
  const answer = await send(url, [caseId, file], "?mode=fast");
  expect(messages(answer.body)).toEqual(['query.mode: expected an integer, got "fast"']);
});

test.each([100_001, 2_000_000])("a file of %i bytes is beyond the limit", async (bytes) => {
  const { url } = await start(undefined, 100_000);
  const answer = await send(url, [caseId, ["file", new Blob([Buffer.alloc(bytes)]), "a"]]);
  expect([answer.status, messages(answer.body)]).toEqual([
    413,
    ["the body is larger than the limit of 100000 bytes"],
  ]);
  expect(leftOver()).toEqual([]);
  const fits = await send(url, [caseId, ["file", new Blob([Buffer.alloc(100_000)]), "a"]]);
  expect(fits.status).toBe(200);
});

test("texts of more than a megabyte together are too large", async () => {
  const { url } = await start();
  const half = "x".repeat(600_000);
  const answer = await send(url, [caseId, ["tags", half], ["tags", half], file]);
  expect([answer.status, messages(answer.body)]).toEqual([
    413,
    ["the body is larger than the limit of 1048576 bytes"],
  ]);
  expect(leftOver()).toEqual([]);
});

test("a form has at most 100 parts", async () => {
  const { url } = await start();
  const parts = (count: number): Part[] => Array.from({ length: count }, () => ["tags", ""]);
  expect(messages((await send(url, parts(100))).body)).toContain("body.file: is required");
  const answer = await send(url, parts(101));
  expect([answer.status, messages(answer.body)]).toEqual([
    413,
    ["the form has more than the limit of 100 fields"],
  ]);
});

test.each([
  ['name="case_id"', "body.case_id: is not UTF-8"],
  ['name="case_id"\r\ncontent-type: text/plain; charset=latin1', "body.case_id: is not UTF-8"],
  ['name="case_id"\r\ncontent-type: application/json', "body.case_id: is not UTF-8"],
])("a text that is not UTF-8 is rejected: %s", async (head, message) => {
  const { url } = await start();
  const response = await fetch(`${url}/upload`, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: Buffer.concat([
      Buffer.from(`--b\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from("\r\n--b--\r\n"),
    ]),
  });
  expect([response.status, messages((await response.json()) as object)]).toEqual([400, [message]]);
});

test.each([
  ["application/json", "{}", 415],
  ["multipart/form-data", "x", 400],
  ["multipart/form-data; boundary=b", "no parts here", 400],
  ["multipart/form-data; boundary=b", "--b\r\ncontent-disposition: form-data; na", 400],
  [
    "multipart/form-data; boundary=b",
    '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--',
    400,
  ],
])("%s with %j is rejected", async (type, body, status) => {
  const { url } = await start();
  const response = await fetch(`${url}/upload`, {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  expect([response.status, await response.text()]).toEqual([
    status,
    expect.stringContaining('"errors":[{'),
  ]);
  expect(leftOver()).toEqual([]);
});

test("a form with headers of an empty body is rejected", async () => {
  const { url } = await start();
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const answer = await sendTarget(url, "/upload", { method: "POST", headers });
  expect(answer.status).toBe(400);
  expect(leftOver()).toEqual([]);
});

test("a body without a content type is rejected", async () => {
  const { url } = await start();
  const response = await fetch(`${url}/upload`, { method: "POST" });
  expect(response.status).toBe(415);
});

test.each(["", '; filename="a.txt"'])("a part without a name%s is rejected", async (fileName) => {
  const { url } = await start();
  const response = await fetch(`${url}/upload`, {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: `--x\r\nContent-Disposition: form-data${fileName}\r\n\r\nabc\r\n--x--\r\n`,
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("body: a part has no name");
});

test("a client that disconnects leaves nothing behind", async () => {
  const { url } = await start();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    "POST /upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\n" +
      'content-length: 5000\r\n\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n' +
      "x".repeat(500),
  );
  await expect.poll(() => leftOver().length).toBe(1);
  socket.destroy();
  await expect.poll(leftOver).toEqual([]);
});

test("all but the last megabyte of a file is on disk when the file has arrived", async () => {
  const { url } = await start(undefined, 10_000_000);
  const { hostname, port } = new URL(url);
  const half = "x".repeat(3_000_000);
  const head =
    '--b\r\ncontent-disposition: form-data; name="case_id"\r\n\r\nc1\r\n' +
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const end = "\r\n--b--\r\n";
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(
    "POST /upload HTTP/1.1\r\nhost: x\r\nconnection: close\r\n" +
      "content-type: multipart/form-data; boundary=b\r\n" +
      `content-length: ${head.length + 2 * half.length + end.length}\r\n\r\n${head}${half}`,
  );
  const written = (): number => {
    const [folder] = leftOver();
    const [name] = folder === undefined ? [] : readdirSync(join(temporary, folder));
    return name === undefined ? 0 : statSync(join(temporary, folder ?? "", name)).size;
  };
  // The last bytes may be the start of the delimiter.
  await expect.poll(written).toBeGreaterThan(half.length - 1_048_576 - 100);
  const answered = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("close", () => resolve(text));
  });
  socket.write(half + end);
  expect(await answered).toContain('"bytes":6000000');
  expect(leftOver()).toEqual([]);
});
