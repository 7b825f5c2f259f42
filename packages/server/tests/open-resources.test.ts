/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import {
  connect,
  createServer as createSocketServer,
  type AddressInfo,
  type Server,
} from "node:net";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { ZipFile } from "yazl";
import { defaultPullLimits, pullImage } from "../src/domain/container/assessments/pull-image.ts";
import { openImageFile, type ReadFile } from "../src/domain/container/images/image-file.ts";
import { defaultLimits } from "../src/domain/container/images/limits.ts";
import { RegistryClient } from "../src/domain/container/registries/registry-client.ts";
import { HostDirectories } from "../src/host-files/host-directories.ts";
import { openBlobs } from "../src/blobs/open-blobs.ts";
import { SmtpMailer } from "../src/mail/smtp-mailer.ts";
import { HttpOutgoing } from "../src/outgoing/http-outgoing.ts";
import { resources } from "../src/platform/resources.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { runTestApi } from "./support/api.ts";
import { caseFilesSuite, filePaths } from "./support/case-files.ts";
import { sha256 } from "./support/sha256.ts";
import { noCase } from "./support/cases.ts";
import { forEachEngine, onSqlite } from "./support/engines.ts";
import { ManualClock } from "./support/manual-clock.ts";
import { administer } from "./support/raw-sql.ts";
import { temporaryFolder } from "./support/server-process.ts";
import { expectNothingOpen } from "../../../testing/open-resources.ts";
import { skipWithout } from "../../../testing/platform.ts";

skipWithout("/proc");

const aid = "a".repeat(32);
const noHash = "0".repeat(64);
/** A connection breaks at another moment each time. */
const interruptions = 500;
const boundary = "part-of-a-form";

/** The head of an upload, and a part of its file. */
function uploadOf(
  path: string,
  token: string,
  { headers, fields, content }: Record<"headers" | "fields", string> & { content: Buffer },
): Buffer {
  const form = `${fields}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${token}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${form.length + content.length + 1_000}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n${headers}\r\n${form}`), content]);
}

const field = (name: string, value: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** Sends bytes and closes the connection after the first bytes of a response, or without waiting. */
function interrupted(url: string, bytes: Buffer | string, waits: boolean): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes, () => {
        if (!waits) socket.destroy();
      });
    });
    socket.on("data", () => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => resolve());
  });
}

const getOf = (link: string, headers = ""): string => {
  const { pathname, search, host } = new URL(link);
  return `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${headers}\r\n`;
};

async function archiveOf(...contents: readonly string[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [index, content] of contents.entries()) {
    zip.addBuffer(Buffer.from(content), `${index}.yaml`);
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** Overwrites the last occurrence of a signature. */
function damaged(archive: Buffer, signature: string): Buffer {
  const at = archive.lastIndexOf(signature, undefined, "latin1");
  return archive.fill(0, at, at + signature.length);
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** Does one after the other, again and again. */
const inTurn =
  (works: readonly (() => Promise<unknown>)[]) =>
  (index: number): Promise<unknown> =>
    (works[index % works.length] as () => Promise<unknown>)();

onSqlite((engine) => {
  const root = temporaryFolder((remove) => {
    process.once("exit", () => void remove());
  });
  const suite = caseFilesSuite(() => engine.url(), {
    limits: { uploadBytes: 4_000_000 },
    hostFiles: new HostDirectories(root),
  });
  const incoming = () => ({
    folders: [join(dirname(suite.databaseUrl().slice("sqlite:".length)), "blobs", "incoming")],
  });

  const importing = async (content: Buffer | string) => {
    const { request } = await suite.open();
    const body = new FormData();
    body.set("dry_run", "true");
    body.set(
      "file",
      new Blob([typeof content === "string" ? content : new Uint8Array(content)]),
      "templates",
    );
    return async () => {
      const answer = await request("POST", "/casemgmt/entities/templates/import/v1", { body });
      expect(answer.status, answer.text).toBe(400);
    };
  };

  test("broken archives", async () => {
    const archives = [
      (await archiveOf("a")).subarray(0, 60),
      (await archiveOf("a".repeat(9_000))).fill(0xff, 36, 46),
      damaged(await archiveOf("a", "b"), "PK\u0001\u0002"),
    ];
    const works = await Promise.all(archives.map(importing));
    await expectNothingOpen(inTurn(works), incoming());
  });

  test("texts that a thread refuses", async () => {
    const work = await importing(`a: [${"b,".repeat(10_000)}`);
    // Each starts a thread, which takes long.
    await expectNothingOpen(work, { times: 12 });
  });

  test("interrupted uploads", async () => {
    const session = await suite.open();
    const { id } = await session.stored();
    const token = await session.freshToken();
    const upload = (bytes: number, headers = "") =>
      uploadOf(filePaths.upload, token, {
        headers,
        fields: field("case_id", id),
        content: Buffer.alloc(bytes),
      });
    const { url } = suite.api();
    // Before and while the server reads it; the hash of a large file is computed by a thread.
    const [none, few, many] = [upload(0), upload(1_000), upload(100_000)];
    const asked = upload(0, "expect: 100-continue\r\n");
    await expectNothingOpen(
      inTurn([
        ...[none, few, many].map((bytes) => () => interrupted(url, bytes, false)),
        () => interrupted(url, asked, true),
      ]),
      { ...incoming(), times: interruptions },
    );
  });

  test("refused uploads", async () => {
    const session = await suite.open();
    const { id } = await session.stored();
    const upload = (caseId: string, content: string, status: number) => async () =>
      expect((await session.send(caseId, { content })).status).toBe(status);
    const few = "x".repeat(100);
    await expectNothingOpen(
      inTurn([upload(noCase, few, 404), upload(id, "", 400), upload("?", few, 400)]),
      incoming(),
    );
    const many = upload(id, "x".repeat(4_000_001), 413);
    await expectNothingOpen(many, { ...incoming(), times: 12 });
  });

  test("interrupted downloads", async () => {
    const session = await suite.open();
    const { id } = await session.stored();
    const contents = ["x", "y"].map((sign) => sign.repeat(4_000_000));
    const files = [
      await session.upload(id, { content: contents[0] ?? "" }),
      await session.upload(id, { content: contents[1] ?? "" }),
    ];
    const link = await session.link(files[0]?.id ?? "");
    const { body } = await session.request<readonly { link: string }[]>("POST", filePaths.archive, {
      body: { ids: files.map((file) => file.id) },
    });
    const { url } = suite.api();
    const requests = [
      getOf(link),
      getOf(link, "range: bytes=1000-3900000\r\n"),
      getOf(body[0]?.link ?? ""),
    ];
    await expectNothingOpen(
      inTurn(
        requests.flatMap((request) =>
          [true, false].map((waits) => () => interrupted(url, request, waits)),
        ),
      ),
      { times: interruptions },
    );
  });

  test("files of hosts that differ from their hash", async () => {
    const session = await suite.open();
    const hash = sha256("expected");
    const folder = join(root, "sessions", "session-1", aid, hash);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "a.txt"), "something else");
    const host = { device_id: aid, hostname: "a", platform_name: "Windows" };
    await session.imported("hosts", [{ ...host, last_seen: "2026-02-10T10:00:00Z" }]);
    const { id } = await session.stored();
    const body = { case_id: id, session_id: "session-1", sha256: hash };
    await expectNothingOpen(async () => {
      const answer = await session.request("POST", filePaths.recent, { body });
      expect(answer.status, answer.text).toBe(404);
    }, incoming());
  });
});

/** An HTTP server that treats every request badly. */
const badServer = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(createServer(answer))}`;

const failing = (work: () => Promise<unknown>, message: string) => async (): Promise<void> => {
  await expect(work()).rejects.toThrow(message);
};

test("messages to bad receivers", async () => {
  const outgoing = new HttpOutgoing({ allowedNetworks: ["127.0.0.0/8"] });
  const posting = async (answer: RequestListener, message: string) => {
    const url = await badServer(answer);
    return failing(() => outgoing.post(url, { headers: {}, body: "{}" }), message);
  };
  await expectNothingOpen(
    inTurn([
      await posting(({ socket }) => socket.destroy(), "socket hang up"),
      await posting(({ socket }, response) => {
        response.writeHead(200, { "content-length": "9" }).write("half", () => socket.destroy());
      }, "aborted"),
      await posting((_request, response) => {
        response.writeHead(200).write("x".repeat(100_000));
      }, "the response is too long"),
    ]),
  );
});

test("mails to a server that refuses everything", async () => {
  const port = await listening(createSocketServer((socket) => socket.end("554 no\r\n")));
  const mailer = new SmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: "a@example.com" });
  const mail = { id: "1", to: "b@example.com", subject: "s", text: "t", date: new Date(0) };
  await expectNothingOpen(failing(() => mailer.send(mail), "554"));
});

test("requests to a bad object store", async () => {
  const at = (endpoint: string) =>
    openBlobs({
      url: `s3://bucket/files?endpoint=${encodeURIComponent(endpoint)}`,
      credentials: { accessKeyId: "id", secretAccessKey: "secret" },
      clock: new ManualClock(),
    });
  const refusing = at(await badServer((_request, response) => response.writeHead(403).end()));
  const talkative = at(
    await badServer((_request, response) => response.writeHead(200).end(Buffer.alloc(100_000))),
  );
  await expectNothingOpen(
    inTurn([
      failing(() => refusing.put(Readable.from([Buffer.alloc(1_000)])), "with 403"),
      () => talkative.delete(noHash),
      async () => (await talkative.open(noHash)).destroy(),
    ]),
  );
});

test("images that cannot be read", async () => {
  const folder = temporaryFolder();
  const content = Buffer.alloc(3_000_000);
  const layer = join(folder, "layer");
  const archive = join(folder, "image.tar");
  writeFileSync(layer, content);
  writeFileSync(archive, Buffer.concat([Buffer.from("BZh9"), content]));
  const image = await openImageFile(folder, defaultLimits);
  const stopping = (read: ReadFile) =>
    failing(() => image.read(new Set(["layer"]), read), "enough");
  await expectNothingOpen(
    inTurn([
      failing(() => openImageFile(archive, defaultLimits), "bzip2"),
      stopping(() => Promise.reject(new Error("enough"))),
      stopping(async (_path, chunks) => {
        for await (const _ of chunks) throw new Error("enough");
      }),
    ]),
    // Each reads a megabyte.
    { times: 40 },
  );
});

forEachEngine((engine) => {
  test("databases that cannot be opened", async () => {
    const url = await engine.emptyUrl();
    await administer(url, "create table settings (key text, value text); select 1");
    const open = () => openStoreAt({ url, clock: new ManualClock(), resources });
    await expectNothingOpen(failing(open, "of another program"), { times: 20 });
  });

  test("servers that cannot listen", async () => {
    const port = await listening(createSocketServer());
    const databaseUrl = await engine.url();
    const start = () => runTestApi({ databaseUrl, config: { port } });
    // Each creates the routes of all operations, which takes long.
    await expectNothingOpen(failing(start, "in use"), { times: 12 });
  });
});

test("layers that cannot be pulled", async () => {
  const content = Buffer.alloc(200_000, "x");
  const answers: readonly RequestListener[] = [
    (_, response) => response.writeHead(404).end(content),
    (_, response) => response.writeHead(401).end(content),
    (_, response) => response.writeHead(503).end(content),
    (_, response) => response.writeHead(307, { location: "http://10.0.0.1/" }).end(content),
    // Other content, too much of it, and less than announced.
    (_, response) => response.end(content),
    (_, response) => response.end(Buffer.concat([content, content])),
    (_, response) => {
      response.writeHead(200, { "content-length": content.length });
      response.write(content.subarray(0, 100_000), () => response.destroy());
    },
  ];
  const server = createServer((request, response) =>
    answers[Number(request.url?.split("/").at(2)) % answers.length]?.(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const outgoing = new HttpOutgoing({ allowedNetworks: ["127.0.0.0/8"] });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    mediaType: "application/vnd.oci.image.config.v1+json",
    digest: `sha256:${noHash}`,
    size: content.length,
  };
  const manifest = { schemaVersion: 2 as const, config, layers: [] };
  const folder = temporaryFolder();
  let pulls = 0;
  await expectNothingOpen(
    async () => {
      pulls += 1;
      const own = join(folder, String(pulls));
      const pulling = pullImage({
        client: new RegistryClient({ outgoing, base, signIn: null }),
        repository: String(pulls),
        image: { manifest, digest: "", documents: [] },
        folder: own,
        limits: defaultPullLimits,
        checkpoint: async () => undefined,
      });
      await expect(pulling).rejects.toThrow();
      rmSync(own, { recursive: true });
    },
    { folders: [folder] },
  );
});
