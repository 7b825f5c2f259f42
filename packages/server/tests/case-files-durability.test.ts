/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { createHash, randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkedFetch } from "@security-platform/contract-tests";
import { expect, test } from "vitest";
import { filePaths, formOf, type FileDetail } from "./support/case-files.ts";
import { paths } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { serve, temporaryFolder, type ServerProcess } from "./support/server-process.ts";

const uploads = 36;
const concurrency = 6;
/** Number of acknowledged uploads after which the server is killed. */
const kills = [15];
const bytes = 200_000;

const fetchChecked = checkedFetch(fetch);

interface Upload {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  acknowledged: boolean;
}

const newUpload = (index: number): Upload => {
  const content = new Uint8Array(randomBytes(bytes));
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { name: `file-${index}.bin`, content, sha256, acknowledged: false };
};

withPostgresAtNight((engine) => {
  test("kill -9 during uploads loses no acknowledged upload, and leaves no partial one", async () => {
    const folder = temporaryFolder();
    const databaseUrl = await engine.url();
    const words = ["--rate-limit", "0"];
    const all = Array.from({ length: uploads }, (_, index) => newUpload(index));
    let caseId = "";
    for (const kill of [...kills, uploads]) {
      const server = await serve({ folder, databaseUrl, words });
      if (caseId === "") caseId = await newCase(server);
      await expectWhole(server, caseId, all);
      const left = all.filter(({ acknowledged }) => !acknowledged);
      await uploadUntil(kill - (uploads - left.length), server, caseId, left);
      await server.end("SIGKILL");
    }
    const server = await serve({ folder, databaseUrl, words });
    await expectWhole(server, caseId, all);
    expect(all.filter(({ acknowledged }) => !acknowledged)).toEqual([]);
    // Incomplete uploads exist only where the daily clean-up removes them.
    const blobs = join(folder, "blobs");
    const known = new Set(all.map(({ sha256 }) => sha256));
    const stored = readdirSync(blobs, { recursive: true })
      .map(String)
      .filter((path) => !path.startsWith("incoming") && statSync(join(blobs, path)).isFile())
      .map((path) => path.slice(-64));
    expect([...known].filter((sha256) => !stored.includes(sha256))).toEqual([]);
  });
});

async function newCase({ url, token }: ServerProcess): Promise<string> {
  const response = await fetchChecked(url + paths.cases, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "uploads", severity: 50 }),
  });
  const [created] = (await response.json()) as readonly { readonly id: string }[];
  return created?.id ?? "";
}

/** Sends concurrent uploads until `target` of them are acknowledged; then the server is killed. */
async function uploadUntil(
  target: number,
  server: ServerProcess,
  caseId: string,
  left: readonly Upload[],
): Promise<void> {
  const waiting = [...left];
  let acknowledged = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const status = await send(server, caseId, next).catch(() => null);
      if (status === null) return;
      expect(status).toBe(200);
      next.acknowledged = true;
      acknowledged += 1;
      // Not awaited: the other uploads are still in progress.
      if (acknowledged === target) void server.end("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function send(
  { url, token }: ServerProcess,
  caseId: string,
  { name, content }: Upload,
): Promise<number> {
  const response = await fetch(url + filePaths.upload, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: formOf(caseId, { name, content }),
  });
  await response.text();
  return response.status;
}

/**
 * Every acknowledged upload exists once with its content, and every existing file is complete. An
 * upload without a response counts as acknowledged if its file exists.
 */
async function expectWhole(
  { url, token }: ServerProcess,
  caseId: string,
  all: readonly Upload[],
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const files: FileDetail[] = [];
  for (let offset = 0; ; offset += 10) {
    const query = new URLSearchParams({
      filter: `case_id:'${caseId}'`,
      limit: "10",
      offset: String(offset),
    });
    const response = await fetchChecked(`${url}${filePaths.combined}?${query}`, { headers });
    const page = (await response.json()) as readonly FileDetail[];
    files.push(...page);
    if (page.length < 10) break;
  }
  const names = files.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const byName = new Map(files.map((file) => [file.name, file]));
  expect(all.filter(({ acknowledged, name }) => acknowledged && !byName.has(name))).toEqual([]);
  for (const upload of all) {
    const file = byName.get(upload.name);
    if (file === undefined) continue;
    expect(file).toMatchObject({ hash_value: upload.sha256, file_size_bytes: bytes });
    upload.acknowledged = true;
  }
  const [last] = files;
  if (last === undefined) return;
  const answer = await fetch(`${url}${filePaths.download}?id=${last.id}`, { headers });
  const [link] = (await answer.json()) as readonly { readonly link: string }[];
  const content = new Uint8Array(await (await fetch(link?.link ?? "")).arrayBuffer());
  expect(createHash("sha256").update(content).digest("hex")).toBe(last.hash_value);
}
