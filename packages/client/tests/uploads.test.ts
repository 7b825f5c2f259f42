import { createHash, randomBytes } from "node:crypto";
import { createReadStream, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { FileProgress, FileToSend } from "../src/index.ts";
import { bodyOf, dropAfter, newFolder, reply, startFileServer } from "./support/file-server.ts";
import { startLiveServer } from "./support/live-server.ts";
import { clientId, clientSecret, failure } from "./support/scripted-client.ts";
import { createClient } from "../src/index.ts";

const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const case_id = "3f2b8a04-6c1d-4e7f-9a52-0d8b7c6e5f41";
const refusal = (status: number): object => ({
  meta: {},
  errors: [{ code: status, message: `status ${status}` }],
});
const newStream =
  "with a new stream, because a stream can be read only once; the client itself sends a Blob, { path }, or a function that opens a stream again";

/** Many chunks, and what became of them. */
function counted(chunks: number, bytes = 64 * 1024) {
  const state = { opened: 0, read: 0, closed: 0 };
  async function* open(): AsyncGenerator<Uint8Array, void, undefined> {
    state.opened += 1;
    try {
      for (let chunk = 0; chunk < chunks; chunk += 1) {
        state.read += 1;
        yield new Uint8Array(bytes);
      }
    } finally {
      state.closed += 1;
    }
  }
  return { state, open, size: chunks * bytes };
}

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
      const escaped = name.replaceAll('"', "%22");
      const stored = { name: escaped, hash_value: sha256(content), description: "Ü" };
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

  test("is one part of a form, after the others, with a length if its size is known", async () => {
    const received: { body: string; length: string | undefined }[] = [];
    const server = await startFileServer(async (request, response) => {
      const body = await bodyOf(request);
      received.push({ body, length: request.headers["content-length"] });
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    });
    const { caseManagement } = server.connect();
    const file = new File(["abc"], 'a"\n.txt', { type: "text/plain" });
    await caseManagement.uploadFile({ body: { file, case_id, description: undefined as never } });
    await caseManagement.uploadFile({ body: { file: file.stream(), case_id } });
    const [sized, streamed] = received;
    const [boundary = ""] = sized?.body.split("\r\n") ?? [];
    expect(sized?.body).toBe(
      `${boundary}\r\ncontent-disposition: form-data; name="case_id"\r\n\r\n${case_id}\r\n` +
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
    await client.caseManagement.uploadFile({ body: { case_id, file: open() } });
    expect(state).toEqual({ opened: 1, read: 1_000, closed: 1 });
    expect(ahead).toBeLessThanOrEqual(2);
  });
});

describe("an upload that fails", () => {
  const busy = reply(503, refusal(503), { "retry-after": "1" });

  test.each([
    ["a busy server", busy],
    ["a rejected token", reply(401, refusal(401))],
    ["a connection that drops half-way", dropAfter(100_000)],
  ])("after %s is sent again from the start", async (_, fault) => {
    const bodies: string[] = [];
    const server = await startFileServer(fault, async (request, response) => {
      bodies.push(await bodyOf(request));
      response.writeHead(200, { "content-type": "application/json" }).end("[]");
    });
    const { state, open, size } = counted(200);
    const progress: FileProgress[] = [];
    await server
      .connect()
      .caseManagement.uploadFile(
        { body: { case_id, file: { content: open, size } } },
        { onProgress: (each) => progress.push(each) },
      );
    await expect.poll(() => state).toMatchObject({ opened: 2, closed: 2 });
    expect(bodies.map(({ length }) => length > size)).toEqual([true]);
    for (const attempt of [1, 2]) {
      const bytes = progress.flatMap((each) =>
        each.attempt === attempt ? each.transferredBytes : [],
      );
      expect(bytes[0]).toBe(64 * 1024);
      expect(bytes).toEqual(bytes.toSorted((one, other) => one - other));
    }
    expect(progress.at(-1)).toEqual({ transferredBytes: size, totalBytes: size, attempt: 2 });
  });

  test("half-way every time says that nothing was stored", async () => {
    const server = await startFileServer(dropAfter(100_000));
    const { state, open, size } = counted(200);
    const file = { content: open, size };
    const error = await failure(
      server.connect().caseManagement.uploadFile({ body: { case_id, file } }),
    );
    expect(error).toMatchObject({ name: "NetworkError", attempts: 3, mayHaveActed: false });
    expect(String(error)).toMatch(
      /; \d+ of 13107200 bytes of the file were sent, so nothing was stored: call again$/,
    );
    await expect.poll(() => state).toMatchObject({ opened: 3, closed: 3 });
  });

  test("half-way with a stream is not sent again, and says why", async () => {
    const server = await startFileServer(dropAfter(100_000));
    const { state, open } = counted(200);
    const error = await failure(
      server.connect().caseManagement.uploadFile({ body: { case_id, file: open() } }),
    );
    expect(error).toMatchObject({ name: "NetworkError", attempts: 1, mayHaveActed: false });
    expect(String(error)).toMatch(/; \d+ bytes of the file were sent, so nothing was stored/);
    expect(String(error).endsWith(`: call again ${newStream}`)).toBe(true);
    await expect.poll(() => state).toMatchObject({ opened: 1, closed: 1 });
  });

  test("with a stream after a refusal says how to call again", async () => {
    const ok = reply(200, []);
    const conflict = reply(409, refusal(409));
    const failed = reply(502, refusal(502));
    const refusals = [reply(401, refusal(401)), busy, conflict, failed, failed];
    const server = await startFileServer(...refusals, ok);
    const { caseManagement } = server.connect();
    const expected = [
      ["AuthenticationError", true],
      ["ServerError", true],
      ["ConflictError", false],
      // The file may be stored, and the next call has another key.
      ["ServerError", false],
      ["ServerError", true, "own key"],
    ] as const;
    for (const [name, helps, idempotencyKey] of expected) {
      const error = await failure(
        caseManagement.uploadFile(
          { body: { case_id, file: counted(2).open() } },
          { idempotencyKey },
        ),
      );
      expect(error).toMatchObject({ name, attempts: 1 });
      expect(String(error).includes(`; call again ${newStream}`)).toBe(helps);
    }
    await caseManagement.uploadFile({ body: { case_id, file: counted(2).open() } });
    // The rejected token was replaced for the next call.
    const later = Array.from({ length: 5 }, () => "Bearer token-2");
    expect(server.authorizations).toEqual(["Bearer token-1", ...later]);
  });

  test("with a stream that was not read yet is sent again", async () => {
    const server = await startFileServer(reply(200, []));
    let requests = 0;
    const client = server.connect({
      fetch: async (request) => {
        if (request.url.includes("/oauth2/") || (requests += 1) > 1) return fetch(request);
        throw Object.assign(new TypeError("fetch failed"), {
          cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
        });
      },
    });
    const { state, open } = counted(3);
    await client.caseManagement.uploadFile({ body: { case_id, file: open() } });
    expect(requests).toBe(2);
    expect(state).toEqual({ opened: 1, read: 3, closed: 1 });
  });

  test("after its end is sent again with its key, and stored once", async () => {
    const server = await startLiveServer();
    const keys: (string | null)[] = [];
    const client = await server.connect({
      fetch: async (request) => {
        const response = await fetch(request);
        if (!request.url.includes("/case-files/") || request.method !== "POST") return response;
        keys.push(request.headers.get("idempotency-key"));
        if (keys.length > 1) return response;
        await response.arrayBuffer();
        throw new TypeError("the response is lost");
      },
    });
    const { data: cases } = await client.caseManagement.createCase({
      body: { name: "Emberfall", severity: 70 },
    });
    const id = cases[0]?.id ?? "";
    const { state, open } = counted(3);
    const { data } = await client.caseManagement.uploadFile({
      body: { case_id: id, file: { content: open } },
    });
    expect(keys).toEqual([expect.stringMatching(/./), keys[0]]);
    expect(state).toMatchObject({ opened: 2, closed: 2 });
    const { data: stored } = await client.caseManagement.listFileIds({
      filter: `case_id:'${id}'`,
    });
    expect(stored).toEqual([data[0]?.id]);
  }, 60_000);

  test("after its end is not sent again without a key, because the file may be stored", async () => {
    const server = await startFileServer(async (request) => {
      await bodyOf(request);
      request.socket.destroy();
    });
    const error = await failure(
      server
        .connect({ idempotencyKeys: false })
        .caseManagement.uploadFile({ body: { case_id, file: new Blob(["x"]) } }),
    );
    expect(error).toMatchObject({ name: "NetworkError", attempts: 1, mayHaveActed: true });
    expect(String(error)).toMatch(/it may have been carried out: read the records before a retry$/);
  });

  test.each([
    ["only with a key of the caller", "own key", true],
    ["not with a generated key", undefined, false],
  ])("after its end says that a retry needs a new stream, %s", async (_, idempotencyKey, says) => {
    const server = await startFileServer(async (request) => {
      await bodyOf(request);
      request.socket.destroy();
    });
    const error = await failure(
      server
        .connect()
        .caseManagement.uploadFile(
          { body: { case_id, file: counted(2).open() } },
          { idempotencyKey },
        ),
    );
    expect(error).toMatchObject({ name: "NetworkError", attempts: 1, mayHaveActed: true });
    expect(String(error).includes("a retry needs a new stream")).toBe(says);
  });

  test("because it was refused says nothing else, and closes its source", async () => {
    const server = await startLiveServer();
    const client = await server.connect();
    const { state, open } = counted(200);
    const error = await failure(
      client.caseManagement.uploadFile({ body: { case_id, file: open() } }),
    );
    expect(error).toMatchObject({ name: "NotFoundError", attempts: 1, mayHaveActed: false });
    expect(String(error)).not.toContain("call again");
    await expect.poll(() => state.closed).toBe(1);
  }, 60_000);

  test("in the form that does not reject, and as the response itself", async () => {
    const server = await startFileServer(reply(404, refusal(404)));
    const { uploadFile } = server.connect().caseManagement;
    const input = { body: { case_id, file: { content: counted(3).open } } };
    const { error } = await uploadFile.try(input);
    expect(error?.name).toBe("NotFoundError");
    expect((await uploadFile.raw(input)).status).toBe(404);
  });

  test("by an abort closes the source, and rejects with the reason", async () => {
    const server = await startFileServer((request) => void request.resume());
    const { state, open } = counted(1_000_000);
    const controller = new AbortController();
    const reason = new Error("enough");
    const error = await failure(
      server.connect().caseManagement.uploadFile(
        { body: { case_id, file: open() } },
        {
          signal: controller.signal,
          onProgress: ({ transferredBytes }) => {
            if (transferredBytes > 1_000_000) controller.abort(reason);
          },
        },
      ),
    );
    expect(error).toBe(reason);
    await expect.poll(() => state.closed).toBe(1);
  });
});

describe("a source that cannot be read", () => {
  const place = "entities.files_upload.post.v1: file";
  const upload = async (file: unknown): Promise<string> => {
    const server = await startFileServer(reply(200, []));
    const body = { case_id, file: file as Blob };
    const error = await failure(server.connect().caseManagement.uploadFile({ body }));
    return String(error);
  };
  const stream = (...chunks: readonly unknown[]): Readable => Readable.from(chunks);

  test("is named before anything is sent", async () => {
    const folder = newFolder();
    const missing = folder.at("missing.bin");
    expect(await upload({ path: missing })).toBe(
      `TypeError: ${place}: cannot read ${missing}: ENOENT, it does not exist`,
    );
    expect(await upload({ path: folder.path })).toBe(
      `TypeError: ${place}: ${folder.path} is not a file; pass a stream of its content`,
    );
    const expected = "must be a Blob, a stream of bytes, { path } or { content }, not";
    const remedy = "make a Blob of bytes or text with new Blob([…])";
    expect(await upload(new Uint8Array(2))).toBe(
      `TypeError: ${place} ${expected} Uint8Array; ${remedy}`,
    );
    expect(await upload(null)).toBe(`TypeError: ${place} ${expected} null; ${remedy}`);
    expect(await upload({ content: 5 })).toBe(
      `TypeError: ${place}.content ${expected} Number; ${remedy}`,
    );
  });

  test.each([
    ["fails", () => stream(text("ab"), broken()), "the disk is on fire"],
    ["has text", () => stream("ab"), "it contains a string where bytes (Uint8Array) were expected"],
    [
      "is longer",
      () => ({ content: stream(text("abc")), size: 2 }),
      "it has more than its size of 2 bytes",
    ],
    [
      "is shorter",
      () => ({ content: stream(text("a")), size: 2 }),
      "it has 1 bytes, its size is 2",
    ],
    [
      "opens nothing",
      () => ({ content: () => undefined }),
      "the function returned no stream of bytes",
    ],
  ])("fails the call once if it %s", async (_, source, reason) => {
    const message = await upload(source());
    expect(message).toMatch(
      /^ClientError: entities.files_upload.post.v1: file(.content)? cannot be read: /,
    );
    expect(message.endsWith(`: ${reason}; nothing was stored`)).toBe(true);
  });

  function broken(): Promise<never> {
    const error = Promise.reject(new Error("the disk is on fire"));
    error.catch(() => undefined);
    return error;
  }

  test("was read before", async () => {
    const used = new Blob(["x"]).stream();
    used.getReader();
    expect(await upload(used)).toMatch(
      /^ClientError: .* cannot be read: .*locked.*; nothing was stored$/,
    );
  });

  test("passes an error of onProgress on", async () => {
    const server = await startFileServer(reply(200, []));
    const reason = new Error("no");
    const call = server.connect().caseManagement.uploadFile(
      { body: { case_id, file: new Blob(["x"]) } },
      {
        onProgress: () => {
          throw reason;
        },
      },
    );
    expect(await failure(call)).toBe(reason);
  });
});
