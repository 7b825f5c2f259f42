import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { fromBufferPromise } from "yauzl";
import type { DiskBlobs } from "../src/blobs/blob-store.ts";
import { ownBlobs } from "../src/blobs/open-blobs.ts";
import { caseFilesSuite, filePaths, noFile, type Session } from "./support/case-files.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const store = ownBlobs("sqlite::memory:").blobs;
/** Streams of blobs that were opened, newest last. */
const opened: { readonly sha256: string; readonly closed: Promise<void> }[] = [];
const blobs: DiskBlobs = Object.assign(Object.create(store) as DiskBlobs, {
  put: store.put.bind(store),
  receive: store.receive.bind(store),
  bytes: store.bytes.bind(store),
  list: store.list.bind(store),
  delete: store.delete.bind(store),
  incoming: store.incoming.bind(store),
  work: store.work.bind(store),
  clear: store.clear.bind(store),
  open: async (...[sha256, range]: Parameters<DiskBlobs["open"]>) => {
    const content = await store.open(sha256, range);
    const closed = new Promise<void>((resolve) => content.once("close", resolve));
    opened.push({ sha256, closed });
    return content;
  },
} satisfies Partial<DiskBlobs>);

async function entriesOf(archive: Uint8Array): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(Buffer.from(archive), { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return entries;
}

withPostgresAtNight((engine) => {
  const suite = caseFilesSuite(engine, { blobs });

  const archiveOf = async (api: Session, ids: readonly string[]): Promise<string> => {
    const answer = await api.request<readonly { link: string }[]>("POST", filePaths.archive, {
      body: { ids },
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toHaveLength(1);
    return answer.body[0]?.link ?? "";
  };

  test("an archive contains every file once, with a name that is valid on every system", async () => {
    const api = await suite.open();
    const [one, two] = [await api.stored(), await api.stored()];
    const large = randomBytes(700_000);
    const uploads = [
      [one.id, "report.txt", "first"],
      [two.id, "Report.TXT", "second"],
      [one.id, "report.txt", "first"],
      [one.id, "a:b?.bin", large],
      [one.id, "con.log", "device"],
      [one.id, "Größe.txt", "größe"],
    ] as const;
    const ids: string[] = [];
    for (const [owner, name, content] of uploads) {
      ids.push(
        (await api.upload(owner, { name, content: new Uint8Array(Buffer.from(content)) })).id,
      );
    }
    const url = await archiveOf(api, [...ids, ids[0] ?? ""]);
    const head = await fetch(url, { method: "HEAD" });
    const response = await fetch(url, { headers: { range: "bytes=0-9" } });
    expect([response.status, response.headers.get("content-type")]).toEqual([
      200,
      "application/zip",
    ]);
    const archive = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get("content-length")).toBe(String(archive.length));
    expect(head.headers.get("content-length")).toBe(String(archive.length));
    expect(response.headers.get("content-disposition")).toContain("case-files.zip");
    expect([...(await entriesOf(archive))]).toEqual([
      ["report.txt", Buffer.from("first")],
      ["Report (2).TXT", Buffer.from("second")],
      ["report (3).txt", Buffer.from("first")],
      ["a_b_.bin", large],
      ["_con.log", Buffer.from("device")],
      ["Größe.txt", Buffer.from("größe")],
    ]);
  });

  test("an archive whose reader disconnects closes its open file", async () => {
    const api = await suite.open();
    const { id } = await api.stored();
    // More than the system buffers of a connection.
    const file = await api.upload(id, { content: new Uint8Array(randomBytes(16_000_000)) });
    const abort = new AbortController();
    const response = await fetch(await archiveOf(api, [file.id]), { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    const last = opened.at(-1);
    expect(last?.sha256).toBe(file.hash_value);
    await last?.closed;
  });

  test("a link is valid for its files only, and for 15 minutes", async () => {
    const api = await suite.open();
    const other = await suite.open();
    const { id } = await api.stored();
    const content = randomBytes(10_000);
    const [one, two] = [
      await api.upload(id, { content: new Uint8Array(content), name: "one.bin" }),
      await api.upload(id, { content: "two" }),
    ];
    const url = await api.link(one.id);
    const part = await fetch(url, { headers: { range: "bytes=100-199" } });
    expect([part.status, part.headers.get("content-range"), part.headers.get("etag")]).toEqual([
      206,
      "bytes 100-199/10000",
      `"${one.hash_value}"`,
    ]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(100, 200));
    const archive = await archiveOf(api, [one.id]);
    const changed = [
      url.replace(one.id, two.id),
      url.replace(api.tenant.cid, other.tenant.cid),
      url.replace(/&expires=\d+/, (found) => `${found}0`),
      `${url}&more=1`,
      archive.replace(one.id, two.id),
      archive.replace(one.id, `${one.id}%2C${two.id}`),
      url.replace(`case-files/${one.id}`, String(one.hash_value)),
      `${suite.api().url}/files/case-files/${one.id}`,
    ];
    for (const wrong of changed) {
      const refused = await fetch(wrong);
      expect(refused.status, wrong).toBe(403);
      await refused.text();
    }
    const both = await api.request<readonly { link: string }[]>("POST", filePaths.download, {
      body: { ids: [two.id, one.id] },
    });
    expect(await (await fetch(both.body[0]?.link ?? "")).text()).toBe("two");
    expect(both.headers.get("deprecation")).not.toBeNull();
    await api.request("DELETE", filePaths.files, { query: { ids: [one.id] } });
    expect((await fetch(archive)).status).toBe(404);
    const lasting = await api.link(two.id);
    api.clock.advance(15 * 60_000);
    expect((await fetch(lasting)).status).toBe(403);
    const unknown = await api.request<ErrorBody>("POST", filePaths.archive, {
      body: { ids: [two.id, noFile] },
    });
    expect([unknown.status, messages(unknown)]).toEqual([404, [`file ${noFile} not found`]]);
  });
});
