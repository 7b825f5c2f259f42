import { createHash, randomBytes } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { createClient, type FileProgress, type FileToSend } from "../src/index.ts";
import { bodyOf, newFolder, startFileServer } from "./support/file-server.ts";
import { startLiveServer } from "./support/live-server.ts";
import { clientId, clientSecret } from "./support/scripted-client.ts";
import { caseId, counted } from "./support/upload-source.ts";

const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

describe("an uploaded file", () => {
  const folder = newFolderForAll();
  const content = randomBytes(300_000);
  const sources: readonly (readonly [string, () => FileToSend, string])[] = [
    ["a path", () => ({ path: folder.file }), "disk.bin"],
    ["a file URL", () => ({ path: pathToFileURL(folder.file) }), "disk.bin"],
    ["a path with a name", () => ({ path: folder.file, name: 'a "b" ü.bin' }), 'a "b" ü.bin'],
    ["a Blob", () => new Blob([content]), "file"],
    ["a File", () => new File([content], "tree.bin"), "tree.bin"],
    ["a web stream", () => new Blob([content]).stream(), "file"],
    ["a stream of Node.js", () => createReadStream(folder.file), "file"],
    ["a buffer of Node.js as a stream", () => Readable.from([content]), "file"],
    ["an async iterable", () => pieces(content), "file"],
    ["a named stream", () => ({ content: pieces(content), name: "x.bin" }), "x.bin"],
    ["a function", () => ({ content: () => pieces(content), name: "y", size: 300_000 }), "y"],
    ["an async function", () => ({ content: async () => pieces(content) }), "file"],
    ["a named Blob", () => ({ content: new Blob([content]), name: "z" }), "z"],
  ];

  function newFolderForAll(): { file: string } {
    return { file: "" };
  }

  async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  }

  test("arrives from every kind of source, with its name and progress", async () => {
    folder.file = newFolder().at("disk.bin");
    writeFileSync(folder.file, content);
    const server = await startLiveServer();
    const client = await server.connect();
    const { data: cases } = await client.caseManagement.createCase({
      body: { name: "Emberfall", severity: 70 },
    });
    const id = cases[0]?.id ?? "";
    for (const [kind, source, name] of sources) {
      const progress: FileProgress[] = [];
      const { data } = await client.caseManagement.uploadFile(
        { body: { file: source(), case_id: id, description: "Ü" } },
        { onProgress: (each) => progress.push(each) },
      );
      const stored = { name, hash_value: sha256(content), description: "Ü" };
      expect(data[0], kind).toMatchObject(stored);
      const transferred = progress.map(({ transferredBytes }) => transferredBytes);
      expect(transferred, kind).toEqual(transferred.toSorted((one, other) => one - other));
      expect(transferred.at(-1), kind).toBe(content.length);
      const isSized = /path|URL|Blob|File|a function/.test(kind);
      expect(progress.at(-1), kind).toMatchObject({
        totalBytes: isSized ? content.length : undefined,
        attempt: 1,
      });
    }
  }, 60_000);

  test.each(['say "hi".txt', "two\r\nlines\n.txt", "100%22 %2522 %0A %0d %25 %20.txt", "%.txt"])(
    "called %j keeps its name",
    async (name) => {
      const server = await startLiveServer();
      const client = await server.connect();
      const { data: cases } = await client.caseManagement.createCase({
        body: { name: "Names", severity: 70 },
      });
      const { data } = await client.caseManagement.uploadFile({
        body: { file: new File(["abc"], name), case_id: cases[0]?.id ?? "" },
      });
      expect(data[0]).toHaveProperty("name", name);
    },
  );

  test("is one part of a form, after the others, with a length if its size is known", async () => {
    const received: { body: string; length: string | undefined }[] = [];
    const server = await startFileServer(async (request, response) => {
      const body = await bodyOf(request);
      received.push({ body, length: request.headers["content-length"] });
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    });
    const { caseManagement } = server.connect();
    const file = new File(["abc"], 'a"\n.txt', { type: "text/plain" });
    await caseManagement.uploadFile({
      body: { file, case_id: caseId, description: undefined as never },
    });
    await caseManagement.uploadFile({ body: { file: file.stream(), case_id: caseId } });
    const [sized, streamed] = received;
    const [boundary = ""] = sized?.body.split("\r\n") ?? [];
    expect(sized?.body).toBe(
      `${boundary}\r\ncontent-disposition: form-data; name="case_id"\r\n\r\n${caseId}\r\n` +
        `${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a%22%0A.txt"\r\n` +
        `content-type: text/plain\r\n\r\nabc\r\n${boundary}--\r\n`,
    );
    expect(sized?.length).toBe(String(sized?.body.length));
    expect(streamed?.length).toBeUndefined();
  });

  test("is read only as fast as it is sent", async () => {
    const { state, open } = counted(1_000);
    let consumed = 0;
    let ahead = 0;
    const client = createClient({
      baseUrl: "https://api.test",
      clientId,
      clientSecret,
      fetch: async (request) => {
        if (request.url.endsWith("/oauth2/token")) {
          return Response.json({ access_token: "t", expires_in: 1_799 }, { status: 201 });
        }
        const reader = (request.body as ReadableStream<Uint8Array>).getReader();
        for (;;) {
          const { done } = await reader.read();
          if (done) return Response.json([]);
          consumed += 1;
          ahead = Math.max(ahead, state.read - consumed);
        }
      },
    });
    await client.caseManagement.uploadFile({ body: { case_id: caseId, file: open() } });
    expect(state).toEqual({ opened: 1, read: 1_000, closed: 1 });
    expect(ahead).toBeLessThanOrEqual(2);
  });
});
