import { getEventListeners } from "node:events";
import { operations } from "@security-platform/spec";
import { describe, expect, test, vi } from "vitest";
import { failure, start } from "../../tests/support/scripted-client.ts";
import { envelope } from "../../tests/support/scripted-server.ts";
import { systemClock } from "../clock.ts";
import type { AnyMethod } from "./operation.ts";
import type { Batch, BatchOptions, Entries } from "./send-batches.ts";

const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => `id-${at}`);

interface Deletion extends AnyMethod<{ readonly data: unknown }> {
  raw: AnyMethod<Response>;
  inBatches(entries: Entries, options?: BatchOptions<object>): AsyncIterable<Batch<unknown, Error>>;
}

/** The list parameter of each operation that deletes what a list names. */
const deletions = operations().flatMap(
  ({ id, method, parameters, answer, methodName, collection }) => {
    const [list] = parameters.filter(({ schema }) => schema["type"] === "array");
    const maximum = Number(list?.schema["maxItems"]);
    if (method !== "delete" || list === undefined) return [];
    return [{ id, name: list.name, maximum, answer, methodName, collection, parameters }];
  },
);

const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

describe.each(deletions)(
  "$id",
  ({ name, maximum, answer, methodName, collection, parameters, id }) => {
    const required = Object.fromEntries(
      parameters.flatMap((each) => (each.required && each.name !== name ? [[each.name, "x"]] : [])),
    );
    const begin = () => {
      const { client, server } = start();
      const sent = (url: string) => new URL(url, "https://x").searchParams.getAll(name);
      server.answer = ({ url }) => ({
        body:
          answer === "envelope"
            ? { ...(envelope(200).body as object), errors: [], resources: sent(url) }
            : sent(url),
      });
      const methods = client[camelCase(collection) as "ioc"] as unknown as Record<string, Deletion>;
      const method = methods[methodName] as Deletion;
      return { method, server, requests: () => server.calls.map(({ url }) => sent(url)) };
    };
    const entries = numbers(2 * maximum + 1);
    const groups = [0, 1, 2].map((at) => entries.slice(at * maximum, (at + 1) * maximum));

    test("sends a long list in groups, one after the other", async () => {
      const { method, requests } = begin();
      // A repeated id would not be found any more.
      const { data } = await method({ ...required, [name]: [...entries, "id-0"] });
      expect(requests()).toEqual(groups);
      expect(answer === "envelope" ? (data as { resources: unknown }).resources : data).toEqual(
        entries,
      );
    });

    test("sends batches, and reports the result of each", async () => {
      const { method, server, requests } = begin();
      const { answer: reply } = server;
      server.answer = (call) => (server.calls.length === 2 ? envelope(409, "in use") : reply(call));
      const seen: unknown[] = [];
      for await (const { from, to, error } of method.inBatches(entries, { input: required })) {
        seen.push([from, to, error?.name]);
      }
      expect(requests()).toEqual(groups);
      expect(seen).toEqual([
        [0, maximum, undefined],
        [maximum, 2 * maximum, "ConflictError"],
        [2 * maximum, 2 * maximum + 1, undefined],
      ]);
    });

    test("ends with the first group that fails, and says what succeeded", async () => {
      const { method, server, requests } = begin();
      const { answer: reply } = server;
      server.answer = (call) => (server.calls.length === 2 ? envelope(409, "in use") : reply(call));
      const error = await failure(method({ ...required, [name]: entries }));
      expect(error).toMatchObject({ name: "ConflictError" });
      expect(String(error)).toContain(`the requests with the first ${maximum} entries succeeded`);
      expect(requests()).toEqual(groups.slice(0, 2));
    });

    test("sends nothing of a list that cannot be sent as a whole", async () => {
      const { method, server } = begin();
      const wrong = await failure(method({ ...required, [name]: [...entries, { id: "a" }] }));
      expect(wrong).toBeInstanceOf(TypeError);
      const raw = await failure(method.raw({ ...required, [name]: entries }));
      expect(String(raw)).toBe(
        `RangeError: ${id}: ${name} has ${entries.length} entries; one request has at most ${maximum}`,
      );
      expect(await failure(method({ ...required, [name]: [] }))).toBeInstanceOf(RangeError);
      expect(server.calls).toEqual([]);
    });
  },
);

test("there are deletions to test", () => {
  expect(deletions.length).toBeGreaterThan(20);
});

test("every group of a long list has the other parameters and the options of the call", async () => {
  const { client, server } = start();
  const controller = new AbortController();
  server.answer = () => ({ body: [] });
  const input = { ids: numbers(401), comment: "clean-up", from_parent: true };
  await client.ioc.deleteIndicators(input, { idempotencyKey: "key", signal: controller.signal });
  expect(server.calls).toHaveLength(3);
  for (const { url } of server.calls) {
    const { searchParams } = new URL(url, "https://x");
    expect([searchParams.get("comment"), searchParams.get("from_parent")]).toEqual([
      "clean-up",
      "true",
    ]);
  }
  expect(server.calls.map(({ headers }) => headers.get("idempotency-key"))).toEqual([
    "key-0",
    "key-200",
    "key-400",
  ]);
  const reason = new Error("enough");
  server.answer = () => {
    controller.abort(reason);
    return { body: [] };
  };
  const { signal } = controller;
  expect(await failure(client.ioc.deleteIndicators({ ids: numbers(401) }, { signal }))).toBe(
    reason,
  );
  expect(server.calls).toHaveLength(4);
});

test("the error of a first group does not speak of groups before it", async () => {
  const { client, server } = start();
  server.answer = () => envelope(409, "in use");
  const error = await failure(client.ioc.deleteIndicators({ ids: numbers(401) }));
  expect(error).toMatchObject({ name: "ConflictError" });
  expect(String(error)).not.toContain("succeeded");
});

test("a filter beside more ids than one request may have is refused", async () => {
  const { client, server } = start();
  const input = { ids: numbers(201), filter: "type:'domain'" };
  expect(String(await failure(client.ioc.deleteIndicators(input)))).toBe(
    "RangeError: indicator.delete.v1: ids has 201 entries beside a filter; pass only one of them",
  );
  expect(server.calls).toEqual([]);
});

test("a body with too many records is not sent, and batches of it are", async () => {
  const { client, server } = start();
  const resources = numbers(101).map((cid_group_id) => ({ cid_group_id, cids: ["a"] }));
  const { addTenantGroupMembers, removeTenantGroupMembers } = client.companion;
  expect(String(await failure(addTenantGroupMembers({ body: { resources } })))).toContain(
    "resources has 101 entries; one request has at most 100",
  );
  expect(server.calls).toEqual([]);
  const sizes = () =>
    server.calls.map(({ body }) => (JSON.parse(body) as { resources: unknown[] }).resources.length);
  for await (const { error } of addTenantGroupMembers.inBatches(resources)) {
    expect(error).toBeUndefined();
  }
  await removeTenantGroupMembers({ body: { resources } });
  expect(sizes()).toEqual([100, 1, 100, 1]);
});

test("the raw form of a get refuses more ids than one request may have", async () => {
  const { client, server } = start();
  expect(String(await failure(client.ioc.getIndicators.raw({ ids: numbers(1_001) })))).toContain(
    "ids has 1001 entries; one request has at most",
  );
  expect(server.calls).toEqual([]);
});

test("any number of calls, waits and groups share one listener on a signal", async () => {
  const warnings = vi.spyOn(process, "emitWarning");
  const { client, server } = start();
  const { signal } = new AbortController();
  let listeners = 0;
  server.answer = () => {
    listeners = Math.max(listeners, getEventListeners(signal, "abort").length);
    return { body: [] };
  };
  const { ioc } = client;
  await Promise.all([
    ...numbers(40).map(() => ioc.listPlatforms({}, { signal })),
    ...numbers(40).map(() => systemClock.sleep(1, signal)),
    ioc.getIndicators({ ids: numbers(20_000) }, { signal }),
    ioc.deleteIndicators({ ids: numbers(3_000) }, { signal }),
  ]);
  expect(server.calls.length).toBeGreaterThan(40);
  expect(listeners).toBe(1);
  expect(warnings).not.toHaveBeenCalled();
  warnings.mockRestore();
});
