import { Readable } from "node:stream";
import { expect } from "vitest";
import { importRecords } from "../../src/imports/index.ts";
import type { TestApi } from "./api.ts";

/** Files that no operation creates: of several versions and systems, some without one. */
export async function offeredFiles({ store, blobs, clock, tenant: { cid }, request }: TestApi) {
  const systems = [{ os: "linux", arch: "amd64" }, { os: "darwin", arch: "arm64" }, {}];
  const lines = Array.from({ length: 12 }, (_, index) =>
    JSON.stringify({
      file: `contract-${index}.zip`,
      file_version: `1.${index}.0`,
      category: index % 2 === 0 ? "fcs" : "rules",
      ...systems[index % systems.length],
    }),
  );
  const imported = await importRecords(store, {
    cid,
    kind: "downloads",
    clock,
    lines,
    files: {
      take: (name) => blobs.put(Readable.from([Buffer.from(name)])),
      has: async () => false,
    },
  });
  expect(imported).toMatchObject({ imported: lines.length, rejected: 0 });
  const path = "/csdownloads/entities/files/enumerate/v1";
  const answer = await request<{ files: readonly Readonly<Record<string, unknown>>[] }>(
    "GET",
    path,
  );
  return answer.body.files;
}
