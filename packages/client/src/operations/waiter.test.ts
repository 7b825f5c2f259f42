import { expect, test } from "vitest";
import { failure, start } from "../../tests/support/scripted-client.ts";
import { envelope } from "../../tests/support/scripted-server.ts";
import { WaitError } from "../index.ts";

const id = "a37d5e91-8c4b-4206-b1fe-93d7c5a0e284";

/** A client of a server whose export job has these states, one for each read; the last one remains. */
function exportWith(...states: readonly string[]) {
  const started = start();
  started.server.answer = () => {
    const at = Math.min(started.server.calls.length, states.length) - 1;
    return { body: [{ id, status: states[at] }] };
  };
  return started;
}

test("reads the record with growing pauses until its work is done", async () => {
  const { client, clock, server } = exportWith("READY", "WAITING", "IN_PROGRESS", "DONE");
  const seen: string[] = [];
  const { data } = await client.container.waitForExport(id, {
    onProgress: ({ status }) => seen.push(status),
  });
  expect(data).toEqual({ id, status: "DONE" });
  expect(seen).toEqual(["READY", "WAITING", "IN_PROGRESS", "DONE"]);
  expect(clock.sleeps).toEqual([1_000, 1_500, 2_250]);
  expect(server.calls.at(-1)?.url).toBe(`/prefix/container-security/entities/exports/v1?ids=${id}`);
});

test("obeys a longer pause that the server asks for", async () => {
  const { client, clock, server } = start();
  server.answer = () => ({
    headers: { "retry-after": "30" },
    body: [{ id, status: server.calls.length < 3 ? "IN_PROGRESS" : "DONE" }],
  });
  await client.container.waitForExport(id);
  expect(clock.sleeps).toEqual([30_000, 30_000]);
});

test("rejects with the record if the work failed, and says why", async () => {
  const { client, server } = start();
  const file = { id: "f".repeat(32), status: "failed", status_reason: "the host is offline" };
  server.answer = () => ({ body: [file] });
  const error = await failure(client.caseManagement.waitForFile(file.id));
  expect(error).toBeInstanceOf(WaitError);
  expect(error).toMatchObject({
    message:
      `entities.file-details.get.v1: the status of ${file.id} is failed, so it does not become ` +
      "available: the host is offline",
    record: file,
    state: "failed",
    timedOut: false,
  });
});

test("ends at its time limit with the last state, after a last read", async () => {
  const { client, clock } = exportWith("IN_PROGRESS");
  const error = await failure(client.container.waitForExport(id, { withinMilliseconds: 10_000 }));
  expect(error).toMatchObject({ name: "WaitError", state: "IN_PROGRESS", timedOut: true });
  expect(String(error)).toContain("after 10000 ms; wait again, or raise withinMilliseconds");
  expect(clock.sleeps.reduce((sum, each) => sum + each)).toBe(10_000);
});

test("reads once, without a pause, if no time is given", async () => {
  const { client, clock, server } = exportWith("IN_PROGRESS");
  const error = await failure(client.container.waitForExport(id, { withinMilliseconds: 0 }));
  expect(error).toMatchObject({ name: "WaitError", state: "IN_PROGRESS", timedOut: true });
  expect(server.calls).toHaveLength(1);
  expect(clock.sleeps).toEqual([]);
});

test("says nothing of a reason that the record does not have", async () => {
  const { client, server } = start();
  const file = { id: "f".repeat(32), status: "failed" };
  server.answer = () => ({ body: [file] });
  const error = await failure(client.caseManagement.waitForFile(file.id));
  expect((error as Error).message).toMatch(/is failed, so it does not become available$/);
});

test("rejects a limit that is no time, before anything is sent", async () => {
  const { client, server } = exportWith("DONE");
  const options = { withinMilliseconds: Number.NaN };
  await expect(client.container.waitForExport(id, options)).rejects.toThrow(RangeError);
  expect(server.calls).toEqual([]);
});

test("ends when it is aborted, and when the record does not exist", async () => {
  const { client, server } = exportWith("IN_PROGRESS");
  const controller = new AbortController();
  const reason = new Error("enough");
  const onProgress = (): void => controller.abort(reason);
  const { signal } = controller;
  expect(await failure(client.container.waitForExport(id, { signal, onProgress }))).toBe(reason);
  server.answer = () => envelope(404, "no such job");
  expect(await failure(client.container.waitForExport(id))).toMatchObject({
    name: "NotFoundError",
  });
});

test("is no operation that can be called by its id", () => {
  const { client } = start();
  const call = client.call as (id: unknown) => unknown;
  expect(() => call(undefined)).toThrow("unknown operation undefined");
});
