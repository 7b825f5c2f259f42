import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { HostDirectories } from "../src/host-files/host-directories.ts";
import type { HostFiles } from "../src/host-files/host-files.ts";
import { caseFilesSuite, filePaths, type FileDetail, type Session } from "./support/case-files.ts";
import { sha256 } from "./support/sha256.ts";
import { noCase } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const aid = "a".repeat(32);
const otherAid = "b".repeat(32);
const away = "c".repeat(32);
const uploadBytes = 100_000;

const root = realpathSync(mkdtempSync(join(tmpdir(), "secplat-hosts-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const put = (content: string, ...names: readonly string[]): void => {
  mkdirSync(join(root, ...names.slice(0, -1)), { recursive: true });
  writeFileSync(join(root, ...names), content);
};
put("secret", "outside.txt");
put("other host", otherAid, "secret.txt");
put("just a loader", aid, "C", "Temp", "loader.txt");
put("x".repeat(150_000), aid, "large.log");
put("log", aid, "var", "log", "auth.log");
const fetched = "fetched earlier";
put(fetched, "sessions", "session-1", aid, sha256(fetched), "dump.txt");
put("something else", "sessions", "session-1", aid, sha256("another"), "dump.txt");
// Windows restricts links to files, but not to folders.
if (process.platform !== "win32") {
  symlinkSync(join(root, "outside.txt"), join(root, aid, "link.txt"));
}
symlinkSync(root, join(root, aid, "up"), "junction");
symlinkSync(join(root, aid, "var", "log"), join(root, aid, "inside"), "junction");
symlinkSync(join(root, otherAid), join(root, "d".repeat(32)), "junction");

/** The host directories, and hooks to pause a retrieval. */
const directories = new HostDirectories(root);
let beforeContent: () => Promise<void> = async () => undefined;
let broken: Error | null = null;
const hostFiles: HostFiles = {
  find: (host, path) => directories.find(host, path),
  open: async (host, path) => {
    await beforeContent();
    const opened = await directories.open(host, path);
    if (broken === null) return opened;
    opened.content.destroy();
    const error = broken;
    const content = Readable.from(
      (function* () {
        yield Buffer.from("half");
        throw error;
      })(),
    );
    return { ...opened, content };
  },
  hostsOf: (asked) => directories.hostsOf(asked),
  openFetched: (host, asked) => directories.openFetched(host, asked),
};

withPostgresAtNight((engine) => {
  const suite = caseFilesSuite(engine, { hostFiles, limits: { uploadBytes } });

  const open = async (): Promise<Session> => {
    const api = await suite.open();
    const hosts = [aid, otherAid, away, "d".repeat(32)].map((device_id) => ({
      device_id,
      hostname: device_id.slice(0, 4),
      platform_name: "Windows",
      last_seen: "2026-02-10T10:00:00Z",
    }));
    expect(await api.imported("hosts", hosts)).toMatchObject({ imported: 4, problems: [] });
    return api;
  };
  const metadata = (api: Session, host: string, file_path: string) =>
    api.request<ErrorBody>("POST", filePaths.metadata, { body: { aid: host, file_path } });
  const retrieve = async (api: Session, caseId: string, file_path: string, host = aid) => {
    const answer = await api.request<readonly FileDetail[]>("POST", filePaths.retrieve, {
      body: { case_id: caseId, aid: host, file_path, description: "loader" },
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.body[0] as FileDetail;
  };
  /** Runs the due jobs and their retries. */
  const work = async (api: Session, hours = 0): Promise<void> => {
    for (let hour = 0; hour <= hours; hour += 1) {
      await suite.api().work();
      if (hours > 0) api.clock.advance(3_600_000);
    }
  };

  test("metadata of a file is its name and size, and no other file can be read", async () => {
    const api = await open();
    expect((await metadata(api, aid, "C:\\Temp\\loader.txt")).body).toEqual([
      { file_name: "loader.txt", file_size: "13 B" },
    ]);
    expect((await metadata(api, aid, "c:/Temp/loader.txt")).status).toBe(200);
    expect((await metadata(api, aid, "/inside/auth.log")).status).toBe(200);
    expect((await metadata(api, aid, "/large.log")).body).toEqual([
      { file_name: "large.log", file_size: "146.5 KB" },
    ]);
    for (const path of ["/link.txt", "/up/outside.txt", "/var", "/none", "/large.log/x"]) {
      const missing = await metadata(api, aid, path);
      expect([missing.status, messages(missing)], path).toEqual([404, [`file ${path} not found`]]);
    }
    const wrong = [
      "/../outside.txt",
      "/var/../../outside.txt",
      "/var\\..\\..\\outside.txt",
      "C:\\..\\outside.txt",
      "/var/./log",
      "var/log",
      "C:loader.txt",
      "\\\\server\\share\\a.txt",
      "//server/share/a.txt",
      "/var/",
      "/var//log",
      "/var/log\u0001.txt",
    ];
    for (const path of wrong) {
      const refused = await metadata(api, aid, path);
      expect([refused.status, messages(refused)[0]], path).toEqual([
        400,
        expect.stringMatching(/^body\.file_path: expected (?:a|the) /),
      ]);
    }
    const offline = [await metadata(api, away, "/x"), await metadata(api, "d".repeat(32), "/x")];
    expect(offline.map(({ status }) => status)).toEqual([503, 503]);
    expect(offline[0]?.headers.get("retry-after")).toBe("60");
    const stranger = await suite.open();
    expect(messages(await metadata(stranger, aid, "/large.log"))).toEqual([
      `host ${aid} not found`,
    ]);
  });

  test("a requested file shows its progress, and follows a merge in the meantime", async () => {
    const api = await open();
    const [source, destination] = [await api.stored(), await api.stored()];
    const requested = await retrieve(api, source.id, "C:\\Temp\\loader.txt");
    expect(requested).toMatchObject({
      name: "loader.txt",
      source: "rtr",
      status: "requested",
      description: "loader",
    });
    expect(Object.keys(requested)).not.toContain("file_size");
    const early = await api.request<ErrorBody>("GET", filePaths.download, {
      query: { id: requested.id },
    });
    expect([early.status, messages(early)]).toEqual([
      409,
      [`query.id: the content of file ${requested.id} is not available: its status is requested`],
    ]);
    let seen: FileDetail | undefined;
    beforeContent = async () => {
      beforeContent = async () => undefined;
      seen = await api.file(requested.id);
      expect((await api.merge(source.id, destination.id)).status).toBe(200);
    };
    await work(api);
    expect(seen).toMatchObject({ status: "metadata", file_size_bytes: 13, file_size: "13 B" });
    expect(seen?.hash_value).toBeUndefined();
    expect(await api.file(requested.id)).toEqual({
      ...requested,
      case_id: destination.id,
      status: "available",
      file_type: "text/plain",
      file_size: "13 B",
      file_size_bytes: 13,
      hash_value: sha256("just a loader"),
    });
    expect(await (await fetch(await api.link(requested.id))).text()).toBe("just a loader");
  });

  test("a retrieval that cannot succeed fails with the reason; other failures are tried again", async () => {
    const api = await open();
    const { id } = await api.stored();
    const none = await retrieve(api, id, "/none.txt");
    const large = await retrieve(api, id, "/large.log");
    const outside = await retrieve(api, id, "/link.txt");
    const deleted = await retrieve(api, id, "/var/log/auth.log");
    await api.request("DELETE", filePaths.files, { query: { ids: [deleted.id] } });
    await work(api);
    expect(await api.file(none.id)).toMatchObject({
      status: "failed",
      status_reason: `host ${aid} has no file /none.txt`,
    });
    expect(await api.file(outside.id)).toMatchObject({ status: "failed" });
    expect(await api.file(large.id)).toMatchObject({
      status: "failed",
      status_reason: `the file is larger than the limit of ${uploadBytes} bytes`,
    });
    expect((await api.details(deleted.id)).status).toBe(404);

    broken = new Error("EIO at /srv/hosts/secret");
    const later = await retrieve(api, id, "/var/log/auth.log");
    const offline = await retrieve(api, id, "/x", away);
    await work(api);
    expect(await api.file(later.id)).toMatchObject({ status: "metadata" });
    broken = null;
    await work(api, 2);
    expect(await api.file(later.id)).toMatchObject({ status: "available", file_size_bytes: 3 });
    expect(await api.file(offline.id)).toMatchObject({ status: "requested" });
    await work(api, 48);
    expect(await api.file(offline.id)).toMatchObject({
      status: "failed",
      status_reason: `host ${away} is not connected`,
    });
  });

  test("a file that a session fetched is available at once", async () => {
    const api = await open();
    const { id } = await api.stored();
    const add = (body: object) =>
      api.request<ErrorBody>("POST", filePaths.recent, {
        body: { case_id: id, session_id: "session-1", sha256: sha256(fetched), ...body },
      });
    for (const more of [{}, { aid }]) {
      expect((await add(more)).body).toMatchObject([
        {
          case_id: id,
          name: "dump.txt",
          source: "rtr_recent",
          status: "available",
          hash_value: sha256(fetched),
        },
      ]);
    }
    const refused = [
      { session_id: "session-2" },
      { session_id: "../sessions/session-1" },
      { session_id: ".." },
      { sha256: "0".repeat(64) },
      // The content stored under this hash has a different hash.
      { sha256: sha256("another") },
      { aid: otherAid },
      { aid: "e".repeat(32) },
      { case_id: noCase },
    ];
    for (const each of refused) {
      const answer = await add(each);
      expect(answer.status, JSON.stringify(each)).toBe(404);
    }
    const stranger = await suite.open();
    const own = await stranger.stored();
    const foreign = await stranger.request("POST", filePaths.recent, {
      body: { case_id: own.id, session_id: "session-1", sha256: sha256(fetched) },
    });
    expect(foreign.status).toBe(404);
  });
});
