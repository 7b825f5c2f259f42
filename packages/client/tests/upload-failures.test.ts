import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { FileProgress } from "../src/index.ts";
import { bodyOf, dropAfter, newFolder, reply, startFileServer } from "./support/file-server.ts";
import { startLiveServer } from "./support/live-server.ts";
import { failure } from "./support/scripted-client.ts";
import { caseId, counted } from "./support/upload-source.ts";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const refusal = (status: number): object => ({
  meta: {},
  errors: [{ code: status, message: `status ${status}` }],
});
const newStream =
  "with a new stream, because a stream can be read only once; the client itself sends a Blob, { path }, or a function that opens a stream again";

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
        { body: { case_id: caseId, file: { content: open, size } } },
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
      server.connect().caseManagement.uploadFile({ body: { case_id: caseId, file } }),
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
      server.connect().caseManagement.uploadFile({ body: { case_id: caseId, file: open() } }),
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
          { body: { case_id: caseId, file: counted(2).open() } },
          { idempotencyKey },
        ),
      );
      expect(error).toMatchObject({ name, attempts: 1 });
      expect(String(error).includes(`; call again ${newStream}`)).toBe(helps);
    }
    await caseManagement.uploadFile({ body: { case_id: caseId, file: counted(2).open() } });
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
    await client.caseManagement.uploadFile({ body: { case_id: caseId, file: open() } });
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
        .caseManagement.uploadFile({ body: { case_id: caseId, file: new Blob(["x"]) } }),
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
          { body: { case_id: caseId, file: counted(2).open() } },
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
      client.caseManagement.uploadFile({ body: { case_id: caseId, file: open() } }),
    );
    expect(error).toMatchObject({ name: "NotFoundError", attempts: 1, mayHaveActed: false });
    expect(String(error)).not.toContain("call again");
    await expect.poll(() => state.closed).toBe(1);
  }, 60_000);

  test("in the form that does not reject, and as the response itself", async () => {
    const server = await startFileServer(reply(404, refusal(404)));
    const { uploadFile } = server.connect().caseManagement;
    const input = { body: { case_id: caseId, file: { content: counted(3).open } } };
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
        { body: { case_id: caseId, file: open() } },
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
    const body = { case_id: caseId, file: file as Blob };
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
      { body: { case_id: caseId, file: new Blob(["x"]) } },
      {
        onProgress: () => {
          throw reason;
        },
      },
    );
    expect(await failure(call)).toBe(reason);
  });
});
