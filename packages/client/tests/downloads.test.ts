import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { connect, download } from "../src/core.ts";
import { createClient, type FileProgress, type LinkToFile } from "../src/index.ts";
import { files as withoutFiles } from "../src/operations/files-none.ts";
import { newFolder, reply, startFileServer } from "./support/file-server.ts";
import { startLiveServer } from "./support/live-server.ts";
import { clientId, clientSecret, failure } from "./support/scripted-client.ts";

const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
const content = randomBytes(300_000);
const bytesOf = async (stream: ReadableStream<Uint8Array> | Blob): Promise<Buffer> =>
  Buffer.from(await new Response(stream).arrayBuffer());

const send = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, {
    "content-type": "application/octet-stream",
    "content-length": content.length,
  });
  response.end(content);
};

/** Sends a part of the file, and drops the connection. */
const truncate = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { "content-length": content.length });
  response.write(content.subarray(0, 100_000), () => response.destroy());
};

/** Sends a part of the file, and no more. */
const stall = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, { "content-length": content.length });
  response.write(content.subarray(0, 100_000));
};

describe("a downloaded file", () => {
  test("is a Blob, a stream, or at a path", async () => {
    const server = await startFileServer(send);
    const { container } = server.connect();
    const folder = newFolder();
    const blob = await container.downloadExport({ id: "a" });
    expect(await bytesOf(blob.data)).toEqual(content);
    expect(blob.data.type).toBe("application/octet-stream");
    expect(blob.response.status).toBe(200);
    const stream = await container.downloadExport({ id: "a" }).stream();
    expect(await bytesOf(stream.data)).toEqual(content);
    const path = folder.at("export.bin");
    const { data } = await container.downloadExport({ id: "a" }).toFile(path);
    expect(data).toEqual({ path, bytes: content.length });
    expect(readFileSync(path)).toEqual(content);
    await container.downloadExport({ id: "a" }).toFile(pathToFileURL(folder.at("other.bin")));
    expect(folder.names()).toEqual(["export.bin", "other.bin"]);
    expect(server.authorizations).toEqual(Array(4).fill("Bearer token-1"));
  });

  test("has progress, which starts again with a retry", async () => {
    let drop: (() => void) | undefined;
    const server = await startFileServer((request, response) => {
      stall(request, response);
      drop = () => response.destroy();
    }, send);
    const progress: FileProgress[] = [];
    const onProgress = (each: FileProgress): void => {
      progress.push(each);
      if (each.transferredBytes >= 100_000) drop?.();
    };
    const path = newFolder().at("export.bin");
    await server.connect().container.downloadExport({ id: "a" }, { onProgress }).toFile(path);
    expect(readFileSync(path)).toEqual(content);
    const bytes = (attempt: number): number[] =>
      progress.flatMap((each) => (each.attempt === attempt ? each.transferredBytes : []));
    expect(bytes(1).at(-1)).toBe(100_000);
    expect(bytes(2)).toEqual(bytes(2).toSorted((one, other) => one - other));
    expect(progress.at(-1)).toEqual({
      transferredBytes: content.length,
      totalBytes: content.length,
      attempt: 2,
    });
  });

  test("is the part that was requested", async () => {
    const server = await startFileServer((request, response) => {
      response.writeHead(206).end(`part ${request.headers.range}`);
    });
    const { data } = await server
      .connect()
      .container.downloadExport({ id: "a", Range: "bytes=1-2" });
    expect(await data.text()).toBe("part bytes=1-2");
  });

  test("is received only as fast as it is read", async () => {
    let produced = 0;
    const client = createClient({
      baseUrl: "https://api.test",
      clientId,
      clientSecret,
      fetch: async (request) => {
        if (request.url.endsWith("/oauth2/token")) {
          return Response.json({ access_token: "t", expires_in: 1_799 }, { status: 201 });
        }
        const body = new ReadableStream(
          {
            pull: (controller) => {
              produced += 1;
              controller.enqueue(new Uint8Array(64 * 1024));
            },
          },
          { highWaterMark: 0 },
        );
        return new Response(body);
      },
    });
    const { data } = await client.container.downloadExport({ id: "a" }).stream();
    const reader = data.getReader();
    for (let read = 1; read <= 100; read += 1) {
      await reader.read();
      expect(produced).toBeLessThanOrEqual(read + 1);
    }
    await reader.cancel();
  });

  test("replaces the file behind a symlink, and refuses anything but a file", async () => {
    const server = await startFileServer(send);
    const { container } = server.connect();
    const folder = newFolder();
    mkdirSync(folder.at("folder"));
    writeFileSync(folder.at("target.bin"), "old");
    symlinkSync(folder.at("target.bin"), folder.at("link.bin"));
    const { data } = await container.downloadExport({ id: "a" }).toFile(folder.at("link.bin"));
    expect(data.path.endsWith("target.bin")).toBe(true);
    expect(readFileSync(folder.at("target.bin"))).toEqual(content);
    const intoFolder = await failure(
      container.downloadExport({ id: "a" }).toFile(folder.at("folder")),
    );
    expect(String(intoFolder)).toBe(
      `TypeError: cannot write ${folder.at("folder")}: it is not a file; add the name of the file`,
    );
    const missing = folder.at("missing/a.bin");
    const nowhere = await failure(container.downloadExport({ id: "a" }).toFile(missing));
    expect(String(nowhere)).toBe(`ClientError: cannot write ${missing}: ENOENT, it does not exist`);
    expect(folder.names()).toEqual(["folder", "link.bin", "target.bin"]);
  });

  test("takes its form only at once", async () => {
    const server = await startFileServer(send);
    const call = server.connect().container.downloadExport({ id: "a" });
    await call;
    expect(() => call.stream()).toThrow("stream() and toFile() must follow the call at once");
    expect(server.authorizations).toHaveLength(1);
  });
});

describe("a failed download", () => {
  test.each([
    [
      "is refused",
      reply(404, { meta: {}, errors: [{ code: 404, message: "no" }] }),
      "NotFoundError",
      /: no$/,
    ],
    [
      "is truncated each time",
      truncate,
      "NetworkError",
      /lost the response after status 200: .* \(after 3 attempts\)$/,
    ],
    [
      "is the page of a proxy",
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      "UnexpectedResponseError",
      /a body of type text\/html, expected: file/,
    ],
    [
      "is a redirect",
      (_: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(302, { location: "http://other.test/x?y" }).end(),
      "UnexpectedResponseError",
      /a redirect to http:\/\/other.test\/x, not followed/,
    ],
  ])("leaves nothing behind if it %s", async (_, answer, name, message) => {
    const server = await startFileServer(answer);
    const folder = newFolder();
    writeFileSync(folder.at("export.bin"), "old");
    const { container } = server.connect();
    const error = await failure(
      container.downloadExport({ id: "a" }).toFile(folder.at("export.bin")),
    );
    expect(error).toMatchObject({ name });
    expect(String(error)).toMatch(message);
    expect(folder.names()).toEqual(["export.bin"]);
    expect(readFileSync(folder.at("export.bin"), "utf8")).toBe("old");
    const { error: tried } = await container.downloadExport.try({ id: "a" });
    expect(tried?.name).toBe(name);
  });

  test("leaves nothing behind if it is aborted, with any reason", async () => {
    const server = await startFileServer(stall);
    const folder = newFolder();
    const controller = new AbortController();
    const error = await failure(
      server
        .connect()
        .container.downloadExport(
          { id: "a" },
          { signal: controller.signal, onProgress: () => controller.abort("enough") },
        )
        .toFile(folder.at("export.bin")),
    );
    expect(error).toBe("enough");
    expect(folder.names()).toEqual([]);
  });

  test("leaves nothing behind if no byte comes for too long", async () => {
    const server = await startFileServer(stall);
    const folder = newFolder();
    const error = await failure(
      server
        .connect()
        .container.downloadExport({ id: "a" }, { timeoutMilliseconds: 200, retries: 0 })
        .toFile(folder.at("export.bin")),
    );
    expect(error).toMatchObject({ name: "TimeoutError" });
    expect(folder.names()).toEqual([]);
  });

  test("fails the stream, which is not retried", async () => {
    const server = await startFileServer(truncate);
    const { data } = await server.connect().container.downloadExport({ id: "a" }).stream();
    expect(await failure(bytesOf(data))).toMatchObject({ name: "NetworkError", attempts: 1 });
    expect(server.authorizations).toHaveLength(1);
  });

  test("is noticed even if the runtime does not notice a missing end", async () => {
    const client = createClient({
      baseUrl: "https://api.test",
      clientId,
      clientSecret,
      retries: 0,
      fetch: async ({ url }) =>
        url.endsWith("/oauth2/token")
          ? Response.json({ access_token: "t", expires_in: 1_799 }, { status: 201 })
          : new Response("abc", { headers: { "content-length": "5" } }),
    });
    const error = await failure(client.container.downloadExport({ id: "a" }));
    expect(String(error)).toMatch(/lost the response after status 200: .*received 3 of 5 bytes/);
  });
});

describe("a link", () => {
  test("is followed without the token, as text, URL or record", async () => {
    const server = await startFileServer(send);
    const client = server.connect();
    const link = `${server.url}/files/a?signature=x`;
    const links: readonly LinkToFile[] = [
      link,
      new URL(link),
      { link },
      { download_url: link, file_hash: sha256(content) },
      { download_url: link },
    ];
    for (const each of links) {
      const { data } = await client.download(each);
      expect(await bytesOf(data)).toEqual(content);
    }
    const connection = connect({ baseUrl: server.url, clientId, clientSecret });
    const { data } = await download(connection)(link).stream();
    expect(await bytesOf(data)).toEqual(content);
    expect(server.authorizations).toEqual(Array(6).fill(undefined));
  });

  test("of a wrong file is refused, and leaves nothing behind", async () => {
    const server = await startFileServer(send);
    const client = server.connect();
    const folder = newFolder();
    const expected = "0".repeat(64);
    const link = { download_url: `${server.url}/files/a?signature=x`, file_hash: expected };
    const error = await failure(client.download(link).toFile(folder.at("tool.bin")));
    expect(error).toMatchObject({
      name: "FileHashError",
      sha256: sha256(content),
      expectedSha256: expected,
      operationId: "download",
      attempts: 1,
    });
    expect(String(error)).toBe(
      `FileHashError: download (GET ${server.url}/files/a) received a file with the SHA-256 ${sha256(content)}, expected ${expected}; do not use what was received: read the record again for its current link and hash`,
    );
    expect(folder.names()).toEqual([]);
    expect(await failure(client.download(link))).toMatchObject({ name: "FileHashError" });
    const { data } = await client.download(link).stream();
    expect(await failure(bytesOf(data))).toMatchObject({ name: "FileHashError" });
    const own = { sha256: sha256(content).toUpperCase() };
    expect((await client.download(link, own)).data.size).toBe(content.length);
  });

  test.each([
    [
      "http://other.test/x?signature=s",
      "the link leads to other.test, which is not one of allowedHosts (HOST); if the server stores its files there, add it",
    ],
    [
      "ftp://HOST/x?signature=s",
      "the link starts with ftp://, baseUrl with http://; the file would be sent in clear text",
    ],
    [
      "http://user:pass@HOST/x?signature=s",
      "the link contains credentials, which a signed link does not",
    ],
    [
      "/files/x?signature=s",
      "expected the link of a FileLink or a DownloadInfo, not text that is no absolute URL",
    ],
    [undefined, "expected the link of a FileLink or a DownloadInfo, not undefined"],
    [{ link: undefined }, "expected the link of a FileLink or a DownloadInfo, not undefined"],
    [null, "expected the link of a FileLink or a DownloadInfo, not object"],
  ])("that may not be followed is not: %j", async (link, message) => {
    const server = await startFileServer(send);
    const client = server.connect();
    const real = typeof link === "string" ? link.replace("HOST", server.host) : link;
    const error = await failure(client.download(real as string));
    expect(String(error)).toBe(`TypeError: download: ${message.replace("HOST", server.host)}`);
    expect(server.authorizations).toEqual([]);
  });

  test("may lead to an allowed host", async () => {
    const store = await startFileServer(send);
    const server = await startFileServer(send);
    const client = server.connect({ allowedHosts: [server.host, store.host] });
    await client.download(`${store.url}/bucket/x?signature=s`);
    expect(store.authorizations).toEqual([undefined]);
    expect(server.authorizations).toEqual([]);
  });

  test("is secret, so errors and events do not have its query", async () => {
    const events: unknown[] = [];
    const server = await startFileServer(reply(403, { meta: {}, errors: [] }));
    const client = server.connect({
      hooks: {
        onRequest: (event) => void events.push(event),
        onError: (event) => events.push(event),
      },
    });
    const error = await failure(client.download(`${server.url}/files/a?signature=hidden`));
    events.push(error, String(error));
    expect(JSON.stringify(events)).toContain("/files/a");
    expect(JSON.stringify(events)).not.toContain("hidden");
  });

  test("of a real server is followed for files of cases, archives and downloads", async () => {
    const server = await startLiveServer();
    const client = await server.connect();
    const { caseManagement: cases } = client;
    const { data: created } = await cases.createCase({ body: { name: "Emberfall", severity: 70 } });
    const case_id = created[0]?.id ?? "";
    const file = new File([content], "tree.bin");
    const { data: uploaded } = await cases.uploadFile({ body: { case_id, file } });
    const { id = "", hash_value } = uploaded[0] ?? {};
    const folder = newFolder();
    const [link] = (await cases.getFileLink({ id })).data;
    const [archiveLink] = (await cases.getArchiveLink({ body: { ids: [id] } })).data;
    if (link === undefined || archiveLink === undefined) throw new Error("there is no link");
    await client.download(link, { sha256: hash_value }).toFile(folder.at("tree.bin"));
    expect(readFileSync(folder.at("tree.bin"))).toEqual(content);
    const { data: part } = await client.download(link, { headers: { range: "bytes=0-9" } });
    expect(await bytesOf(part)).toEqual(content.subarray(0, 10));
    const { data: archive } = await client.download(archiveLink);
    expect((await bytesOf(archive)).subarray(0, 2).toString()).toBe("PK");
    const { data: exported } = await cases.exportTemplates();
    expect((await client.download(exported)).data.size).toBeGreaterThan(0);
    await server.importFiles(server.tenant, ["agent.bin"]);
    const { data: offered } = await client.downloads.getFileAddress({
      file_name: "agent.bin",
      file_version: "1.4.0",
    });
    expect(await (await client.download(offered)).data.text()).toBe("agent.bin");
    server.clock.advance(16 * 60_000);
    const error = await failure(client.download(link));
    expect(error).toMatchObject({ name: "PermissionError", operationId: "download" });
  }, 60_000);
});

test("browsers hash with the same result, and say that they have no files", async () => {
  const hash = await withoutFiles.sha256();
  hash.update(content.subarray(0, 1_000));
  hash.update(content.subarray(1_000));
  expect(hash.hex()).toBe(sha256(content));
  expect(withoutFiles.canStream).toBe(false);
  for (const none of [withoutFiles.find, withoutFiles.target]) {
    expect(String(await failure(none("/x")))).toBe(
      "TypeError: this system has no files; use a Blob or a stream instead of a path",
    );
  }
});
