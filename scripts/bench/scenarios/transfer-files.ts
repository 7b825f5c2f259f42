import { randomBytes } from "node:crypto";
import { createWriteStream, openAsBlob } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as WebStream } from "node:stream/web";
import { createClient } from "@security-platform/client";
import type { BenchRun, Scenario } from "../scenario.ts";
import { median, type Result } from "../measure.ts";
import { openTenant, start } from "../platform.ts";
import { newCase } from "../send-file.ts";

const megabytes = 64;
const rounds = 9;

export const transferScenarios: readonly Scenario[] = [
  { name: "files through the client", run: transferFiles },
];

/** The client beside what a program writes with `fetch`, in turns, against the same server. */
async function transferFiles({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const bytes = Math.round(megabytes * Math.min(1, scale) * 1024 * 1024);
  const tenant = await openTenant(`sqlite:${join(folder, "transfers.sqlite")}`, [
    "cases:read",
    "cases:write",
  ]);
  await tenant.store.close();
  const platform = await start(tenant, { processor: null });
  const { id: clientId, secret: clientSecret } = tenant.credentials;
  const client = createClient({ baseUrl: platform.url, clientId, clientSecret });
  const case_id = await newCase(platform);
  const [path, copy] = [join(folder, "sent.bin"), join(folder, "received.bin")];
  const up: number[] = [];
  const down: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Different content each time, because equal files share one blob.
    await writeFile(path, randomBytes(bytes));
    const own = await timed(() =>
      client.caseManagement.uploadFile({ body: { case_id, file: { path } } }),
    );
    await writeFile(path, randomBytes(bytes));
    const plain = await timed(() => send(platform.url, platform.headers, case_id, path));
    up.push(plain.milliseconds / own.milliseconds);
    const id = own.value.data[0]?.id ?? "";
    const { data: links } = await client.caseManagement.getFileLink({ id });
    const link = links[0]?.link ?? "";
    const ownDown = await timed(() => client.download(link).toFile(copy));
    const plainDown = await timed(() => receive(link, copy));
    down.push(plainDown.milliseconds / ownDown.milliseconds);
    await rm(copy);
  }
  await client.close();
  await platform.stop();
  const row = (name: string, ratios: readonly number[]): Result => ({
    name,
    figure: `median of ${rounds} rounds`,
    ratio: median(ratios),
    target: 0.9,
    targetIs: "at least",
  });
  return [
    row(`speed of an upload of ${megabytes} MB from the disk / bare fetch`, up),
    row(`speed of a download of ${megabytes} MB to the disk / bare fetch`, down),
  ];
}

async function timed<Value>(work: () => Promise<Value>) {
  const began = performance.now();
  const value = await work();
  return { value, milliseconds: performance.now() - began };
}

async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  caseId: string,
  path: string,
): Promise<void> {
  const body = new FormData();
  body.append("case_id", caseId);
  body.append("file", await openAsBlob(path), "sent.bin");
  const response = await fetch(`${url}/case-files/entities/files/upload/v1`, {
    method: "POST",
    headers,
    body,
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  await response.json();
}

async function receive(link: string, path: string): Promise<void> {
  const { body, status } = await fetch(link);
  if (body === null || status !== 200) throw new Error(`${status} on download`);
  await pipeline(Readable.fromWeb(body as WebStream), createWriteStream(path));
}
