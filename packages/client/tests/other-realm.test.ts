/** Values of another realm, as in jsdom: they are no instances of the classes that the client sees. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { FileToSend } from "../src/index.ts";
import { newFolder, bodyOf, startFileServer } from "./support/file-server.ts";
import { caseId } from "./support/upload-source.ts";

const text = "0123456789".repeat(60_000);
const sha256 = (content: string): string =>
  createHash("sha256").update(content, "latin1").digest("hex");

const realm = createContext({ text });

/**
 * A `Blob` like that of jsdom: its bytes are read by a `FileReader`. The other forms have one method more.
 */
runInContext(
  `
  const bytesOf = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  class Blob {
    constructor(text, type = "") { this.text_ = text; this.type = type; }
    get size() { return this.text_.length; }
    slice(start, end) { return new this.constructor(this.text_.slice(start, end), this.type); }
  }
  class BlobWithBuffer extends Blob {
    async arrayBuffer() { return bytesOf(this.text_).buffer; }
  }
  class BlobWithStream extends BlobWithBuffer {
    stream() { return pieces(this.text_); }
  }
  class File extends Blob {
    constructor(text, name, type) { super(text, type); this.name = name; }
    slice(start, end) { return new Blob(this.text_.slice(start, end)); }
  }
  class FileReader {
    readAsArrayBuffer(blob) {
      this.result = bytesOf(blob.text_).buffer;
      Promise.resolve().then(() => this.onload());
    }
  }
  class FormData {
    constructor(parts) { this.parts = parts; }
    entries() { return this.parts[Symbol.iterator](); }
    getAll(name) { return this.parts.filter((part) => part[0] === name).map((part) => part[1]); }
  }
  class URL { constructor(href) { this.href = href; } toString() { return this.href; } }
  async function* pieces(text) {
    for (let at = 0; at < text.length; at += 1_000) yield bytesOf(text.slice(at, at + 1_000));
  }
  class Stream {
    constructor(text) { this.pieces = pieces(text); }
    getReader() {
      return { read: () => this.pieces.next(), cancel: async () => undefined };
    }
  }
  const views = async function* () { const { buffer } = bytesOf(text); yield new DataView(buffer, 0, 10); yield new Uint16Array(buffer, 10, (buffer.byteLength - 10) / 2); };
  `,
  realm,
);
const foreign = (code: string): unknown => runInContext(code, realm) as unknown;

const folder = newFolderForAll();

function newFolderForAll(): { url: string } {
  return { url: "" };
}

const sources: readonly (readonly [string, () => unknown, string])[] = [
  ["a Blob without methods", () => foreign("new Blob(text)"), "file"],
  ["a Blob with arrayBuffer", () => foreign("new BlobWithBuffer(text)"), "file"],
  ["a Blob with stream", () => foreign("new BlobWithStream(text)"), "file"],
  ["a File", () => foreign("new File(text, 'tree.bin')"), "tree.bin"],
  ["a web stream", () => foreign("new Stream(text)"), "file"],
  ["an async iterable", () => foreign("pieces(text)"), "file"],
  ["other views of bytes", () => foreign("views()"), "file"],
  ["a function", () => foreign("({ content: () => pieces(text) })"), "file"],
  ["an async function", () => ({ content: foreign("async () => pieces(text)") }), "file"],
  ["a named File", () => foreign("({ content: new File(text, 'a'), name: 'b' })"), "b"],
  ["a path", () => ({ path: new URL(folder.url).pathname }), "disk.bin"],
  ["a file URL", () => ({ path: foreign(`new URL(${JSON.stringify(folder.url)})`) }), "disk.bin"],
];

/** A server that remembers the parts of each form. */
async function startFormServer() {
  const forms: Record<
    string,
    { name: string | undefined; type: string | undefined; hash: string }
  >[] = [];
  const server = await startFileServer(async (request, response) => {
    const body = await bodyOf(request);
    const [boundary = ""] = body.split("\r\n");
    const parts = body.split(boundary).slice(1, -1);
    forms.push(
      Object.fromEntries(
        parts.map((part) => {
          const end = part.indexOf("\r\n\r\n");
          const head = part.slice(0, end);
          const content = part.slice(end + 4, -2);
          return [
            /[; ]name="([^"]*)"/.exec(head)?.[1] ?? "",
            {
              name: /filename="([^"]*)"/.exec(head)?.[1],
              type: /content-type: (.*)/i.exec(head)?.[1],
              hash: sha256(content),
            },
          ];
        }),
      ),
    );
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  return { forms, client: server.connect() };
}

describe("an upload in a page of jsdom", () => {
  test.each(sources)("sends %s", async (_, source, name) => {
    const { at } = newFolder();
    writeFileSync(at("disk.bin"), text);
    folder.url = `file://${at("disk.bin")}`;
    for (const className of ["Blob", "File", "FormData", "URL", "FileReader"]) {
      // Those of Node.js are hidden there.
      vi.stubGlobal(className, className === "URL" ? URL : foreign(className));
    }
    onTestFinished(() => void vi.unstubAllGlobals());
    const { forms, client } = await startFormServer();
    const progress: number[] = [];
    await client.caseManagement.uploadFile(
      { body: { case_id: caseId, file: source() as FileToSend } },
      { onProgress: ({ transferredBytes }) => progress.push(transferredBytes) },
    );
    expect(forms).toEqual([
      {
        case_id: { hash: sha256(caseId) },
        file: { name, type: "application/octet-stream", hash: sha256(text) },
      },
    ]);
    expect(progress.at(-1)).toBe(text.length);
  });

  test("sends a form", async () => {
    vi.stubGlobal("FileReader", foreign("FileReader"));
    onTestFinished(() => void vi.unstubAllGlobals());
    const { forms, client } = await startFormServer();
    const form = foreign(
      `new FormData([["case_id", "${caseId}"], ["file", new File(text, "x.txt", "text/plain")]])`,
    ) as FormData;
    await client.caseManagement.uploadFile({ body: form });
    expect(forms).toEqual([
      {
        case_id: { hash: sha256(caseId) },
        file: { name: "x.txt", type: "text/plain", hash: sha256(text) },
      },
    ]);
  });

  test.each([
    ["({})", "not Object"],
    ["[1]", "not Array"],
    ["(async function* () { yield 'text' })()", "it contains a string where bytes"],
    ["({ content: () => 5 })", "the function returned no stream of bytes"],
    ["(async function* () { throw new Error('broken') })()", "cannot be read: broken; nothing"],
  ])("refuses %s", async (code, message) => {
    const { client, forms } = await startFormServer();
    const body = { case_id: caseId, file: foreign(code) as FileToSend };
    await expect(client.caseManagement.uploadFile({ body })).rejects.toThrow(message);
    expect(forms).toEqual([]);
  });
});

test("a native form is sent as it is", async () => {
  const { forms, client } = await startFormServer();
  const form = new FormData();
  form.append("case_id", caseId);
  form.append("file", new File([text], "x.txt", { type: "text/plain" }));
  await client.caseManagement.uploadFile({ body: form });
  expect(forms).toEqual([
    {
      case_id: { hash: sha256(caseId) },
      file: { name: "x.txt", type: "text/plain", hash: sha256(text) },
    },
  ]);
});
