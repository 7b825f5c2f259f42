/** Waits of the client for the work of a real server. */
import { expect, test } from "vitest";
import { startLiveServer } from "./support/live-server.ts";

/** Waits for other work of this process instead of for a time. */
const clock = {
  now: () => new Date(),
  sleep: () => new Promise<void>((resolve) => setImmediate(resolve)),
};

test("waits for an export, whose file can then be downloaded", async () => {
  const server = await startLiveServer({ backgroundWork: true });
  const client = await server.connect({ clock });
  const { data: ids } = await client.container.createExport({
    body: { resource: "assets.images", format: "json" },
  });
  const states = new Set<string>();
  const { data } = await client.container.waitForExport(ids[0] ?? "", {
    onProgress: ({ status }) => states.add(status),
  });
  expect(data).toMatchObject({ id: ids[0], status: "DONE" });
  expect([...states].at(-1)).toBe("DONE");
  const { data: file } = await client.container.downloadExport({ id: data.id });
  expect(JSON.parse(await file.text())).toEqual([]);
}, 60_000);
