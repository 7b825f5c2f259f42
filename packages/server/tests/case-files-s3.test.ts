import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { fromBufferPromise } from "yauzl";
import { openBlobs } from "../src/blobs/open-blobs.ts";
import { purgeBlobs } from "../src/jobs/purge-blobs.ts";
import { startTestApi } from "./support/api.ts";
import { filePaths, openSession } from "./support/case-files.ts";
import { sha256 } from "./support/sha256.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { workerOf } from "./support/jobs.ts";
import { days, ManualClock } from "./support/manual-clock.ts";
import { S3Server } from "./support/s3-server.ts";
import { openBaseSession } from "./support/session.ts";

const bytesOf = async (url: string, init: RequestInit = {}): Promise<Buffer> => {
  const response = await fetch(url, init);
  expect(response.ok, url).toBe(true);
  return Buffer.from(await response.arrayBuffer());
};

withPostgresAtNight((engine) => {
  test("files of cases in an S3-compatible store: upload, links, archive and deletion", async () => {
    const clock = new ManualClock();
    const s3 = await S3Server.start(clock);
    onTestFinished(() => s3.close());
    const { accessKeyId, secretAccessKey, region, url } = s3;
    const query = new URLSearchParams({ endpoint: url, region });
    const blobs = openBlobs({
      url: `s3://bucket/cases?${query.toString()}`,
      credentials: { accessKeyId, secretAccessKey },
      clock,
    });
    const server = await startTestApi({ databaseUrl: await engine.url(), blobs, clock });
    const api = openSession(await openBaseSession(server, "tenant"), 1);
    const { id: caseId } = await api.stored();
    const content = new Uint8Array(randomBytes(300_000));
    const file = await api.upload(caseId, { content, name: "dump.bin" });
    const note = await api.upload(caseId, { content: "notes", name: "notes.txt" });
    expect(file).toMatchObject({ hash_value: sha256(content), file_size_bytes: 300_000 });
    expect(note).toMatchObject({ file_type: "text/plain" });
    const keys = [sha256(content), sha256("notes")].map((hash) => `cases/${hash}`);
    expect([...s3.objects.keys()].toSorted()).toEqual(keys.toSorted());

    const link = await api.link(file.id);
    expect(await bytesOf(link)).toEqual(Buffer.from(content));
    const part = await bytesOf(link, { headers: { range: "bytes=100-199" } });
    expect(part).toEqual(Buffer.from(content.slice(100, 200)));
    const archive = await api.request<readonly { link: string }[]>("POST", filePaths.archive, {
      body: { ids: [file.id, note.id] },
    });
    const zip = await fromBufferPromise(await bytesOf(archive.body[0]?.link ?? ""));
    const names: string[] = [];
    for await (const { fileName } of zip.eachEntry()) names.push(fileName);
    expect(names).toEqual(["dump.bin", "notes.txt"]);

    const broken = await api.send(caseId, { content: new Uint8Array(0), name: "empty.txt" });
    expect(broken.status).toBe(400);
    expect(s3.objects.size).toBe(2);
    await api.request("DELETE", filePaths.files, { query: { ids: [file.id] } });
    expect((await fetch(link)).status).toBe(404);
    const purge = workerOf(server, [purgeBlobs(server.store, blobs, clock)]);
    await purge.drain();
    clock.advance(days(2));
    await server.store.sweep(clock.now());
    await purge.drain();
    expect([...s3.objects.keys()]).toEqual([`cases/${sha256("notes")}`]);
  });
});
