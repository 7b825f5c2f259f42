import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { errors } from "../src/foundation/errors.ts";
import { purgeRequests } from "../src/jobs/purge-requests.ts";
import { StoreUnavailableError } from "../src/store/types/errors.ts";
import type { Store } from "../src/store/types/types.ts";
import { startTestApi, type Answer, type Request, type TestApi } from "./support/api.ts";
import { filePaths, formOf } from "./support/case-files.ts";
import { noCase, paths, type Case } from "./support/cases.ts";
import { forEachEngine } from "./support/engines.ts";
import { paths as iocPaths } from "./support/ioc.ts";
import { latch, workerOf } from "./support/jobs.ts";
import { hours, ManualClock, seconds } from "./support/manual-clock.ts";
import { messages, type ErrorBody } from "./support/session.ts";

type Cases = readonly Case[];

const withKey = (key: string, body: unknown): Request => ({
  body,
  headers: { "idempotency-key": key },
});

const stillInProgress =
  "header.Idempotency-Key: the first request with this key is still in progress; send it again in 1 s";

const indicator = (value: string) => ({
  type: "domain",
  value,
  action: "detect",
  severity: "low",
  platforms: ["linux"],
  applied_globally: true,
});

forEachEngine((engine) => {
  /** Two servers on one database, as two processes have it, and a client of both. */
  async function open() {
    const databaseUrl = await engine.url();
    const clock = new ManualClock();
    const one = await startTestApi({ databaseUrl, clock });
    const two = await startTestApi({ databaseUrl, clock, blobs: one.blobs });
    const send = <Body = Cases>(
      api: TestApi,
      key: string,
      body: unknown = { name: "a case", severity: 20 },
    ): Promise<Answer<Body>> =>
      api.request<Body>("PUT", paths.cases, { token: one.token, ...withKey(key, body) });
    const count = async (): Promise<number> =>
      (await one.request<readonly string[]>("GET", paths.search)).body.length;
    return { one, two, clock, send, count };
  }

  test("the same request with the same key gets the first response again, on every server", async () => {
    const { one, two, send, count } = await open();
    const key = randomUUID();
    const first = await send(one, key);
    expect(first.status).toBe(201);
    expect(first.headers.has("idempotency-replayed")).toBe(false);
    for (const api of [one, two]) {
      const again = await send(api, key);
      expect(again.status).toBe(201);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(again.text).toBe(first.text);
      for (const name of ["content-type", "x-trace-id", "cache-control"]) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
    }
    expect(await count()).toBe(1);
    expect((await send(two, randomUUID())).body[0]?.id).not.toBe(first.body[0]?.id);
    expect(await count()).toBe(2);
  });

  test("a key belongs to one client of one tenant", async () => {
    const { one, send } = await open();
    const first = await send(one, "key");
    const other = await one.newTenant("other");
    const answer = await one.request<Cases>("PUT", paths.cases, {
      token: other.token,
      ...withKey("key", { name: "a case", severity: 20 }),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.has("idempotency-replayed")).toBe(false);
    expect(answer.body[0]?.id).not.toBe(first.body[0]?.id);
  });

  test("another body, path or query with the key causes a 422, and an invalid key a 400", async () => {
    const { one, two, send, count } = await open();
    await send(one, "key");
    const reused = [
      await send<ErrorBody>(two, "key", { name: "another case", severity: 20 }),
      await one.request<ErrorBody>(
        "PATCH",
        paths.cases,
        withKey("key", { id: noCase, fields: { name: "other" } }),
      ),
      await one.request<ErrorBody>(
        "POST",
        iocPaths.indicators,
        withKey("key", { indicators: [indicator("a.example")] }),
      ),
    ];
    for (const answer of reused) {
      expect(answer.status).toBe(422);
      expect(messages(answer)).toEqual([
        "header.Idempotency-Key: another request was sent with this key in the last 24 hours; send each change with a key of its own",
      ]);
    }
    const body = { indicators: [indicator("b.example")] };
    await one.request("POST", iocPaths.indicators, withKey("query", body));
    const query = { ignore_warnings: true };
    const other = await one.request("POST", iocPaths.indicators, {
      query,
      ...withKey("query", body),
    });
    expect(other.status).toBe(422);
    for (const key of ["", "two words", "k".repeat(256)]) {
      const answer = await send<ErrorBody>(one, key);
      expect(answer.status).toBe(400);
      expect(messages(answer)[0]).toMatch(/^header\.Idempotency-Key: /);
    }
    expect(await count()).toBe(1);
  });

  test("the refusal of a handler is also kept; an invalid request does not use up its key", async () => {
    const { one, two } = await open();
    const body = { indicators: [indicator("taken.example")] };
    const stored = await one.request<readonly { id: string }[]>("POST", iocPaths.indicators, {
      body,
    });
    const create = (api: TestApi) =>
      api.request<ErrorBody>("POST", iocPaths.indicators, {
        token: one.token,
        ...withKey("key", body),
      });
    const first = await create(one);
    expect(first.status).toBe(409);
    await one.request("DELETE", iocPaths.indicators, {
      query: { ids: [stored.body[0]?.id ?? ""] },
    });
    const again = await create(two);
    expect(again.status).toBe(409);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotency-replayed")).toBe("true");

    const invalid = await one.request(
      "POST",
      iocPaths.indicators,
      withKey("new", { indicators: [] }),
    );
    expect(invalid.status).toBe(400);
    const right = await one.request("POST", iocPaths.indicators, withKey("new", body));
    expect(right.status).toBe(201);
  });

  test("without a change, a failure of the server is not kept", async () => {
    const { one, send, count } = await open();
    const restore = replaceWrite(one.store, () =>
      Promise.reject(new StoreUnavailableError("the database is away")),
    );
    expect((await send(one, "key")).status).toBe(503);
    restore();
    const again = await send(one, "key");
    expect(again.status).toBe(201);
    expect(again.headers.has("idempotency-replayed")).toBe(false);
    expect(await count()).toBe(1);
  });

  test.each([
    errors.invalidToken("gone"),
    errors.forbidden("not now"),
    errors.timedOut(),
    errors.rateLimited("too many", 1, 1),
  ])("a refusal that may end by itself is not kept: $status", async (refusal) => {
    const { one, send, count } = await open();
    const restore = replaceWrite(one.store, () => Promise.reject(refusal));
    expect((await send(one, "key")).status).toBe(refusal.status);
    restore();
    const again = await send(one, "key");
    expect(again.status).toBe(201);
    expect(again.headers.has("idempotency-replayed")).toBe(false);
    expect(await count()).toBe(1);
  });

  test("while the first request is in progress, the same request causes a 409, and another one a 422", async () => {
    const { one, send, count } = await open();
    const [begun, held] = [latch(), latch()];
    const restore = replaceWrite(one.store, async (write) => {
      begun.open();
      await held.opened;
      return write();
    });
    const first = send(one, "key");
    await begun.opened;
    const second = await send<ErrorBody>(one, "key");
    expect(second.status).toBe(409);
    expect(messages(second)).toEqual([stillInProgress]);
    expect(second.headers.get("retry-after")).toBe("1");
    expect((await send(one, "key", { name: "another", severity: 1 })).status).toBe(422);
    held.open();
    expect((await first).status).toBe(201);
    restore();
    expect((await send(one, "key")).text).toBe((await first).text);
    expect(await count()).toBe(1);
  });

  test("of two servers with the same request, one acts, and the other says that it is in progress", async () => {
    const { one, two, send, count } = await open();
    const [begun, held] = [latch(), latch()];
    replaceWrite(one.store, async (write) => {
      begun.open();
      await held.opened;
      return write();
    });
    const slow = send<ErrorBody>(one, "key");
    await begun.opened;
    const fast = await send(two, "key");
    expect(fast.status).toBe(201);
    held.open();
    const late = await slow;
    expect(late.status).toBe(409);
    expect(messages(late)).toEqual([stillInProgress]);
    expect((await send(one, "key")).text).toBe(fast.text);
    expect(await count()).toBe(1);
  });

  test("a change whose response was not stored is never made again, and the server says so", async () => {
    const { one, two, clock, send, count } = await open();
    const { requests } = one.store;
    // As if the process had ended between the change and its response.
    Object.assign(requests, { keep: () => Promise.reject(new Error("ended")) });
    expect((await send(one, "key")).status).toBe(201);
    const soon = await send<ErrorBody>(two, "key");
    expect([soon.status, soon.headers.get("retry-after")]).toEqual([409, "1"]);
    expect(messages(soon)).toEqual([stillInProgress]);
    clock.advance(seconds(10));
    const later = await send<ErrorBody>(two, "key");
    expect([later.status, later.headers.get("retry-after")]).toEqual([409, null]);
    expect(messages(later)).toEqual([
      "header.Idempotency-Key: the first request with this key was carried out, but its response is lost; read the records, and send further changes with a new key",
    ]);
    expect(await count()).toBe(1);
  });

  test("keys are forgotten after 24 hours, and their responses are deleted", async () => {
    const { one, clock, send } = await open();
    await send(one, "key");
    await send(one, "expired");
    clock.advance(hours(24) - 1);
    const token = await one.newToken(one.client);
    const again = (key: string) =>
      one.request("PUT", paths.cases, { token, ...withKey(key, { name: "a case", severity: 20 }) });
    expect((await again("key")).headers.get("idempotency-replayed")).toBe("true");
    clock.advance(1);
    expect((await again("key")).headers.has("idempotency-replayed")).toBe(false);
    expect((await again("key")).headers.get("idempotency-replayed")).toBe("true");
    const worker = workerOf({ store: one.store, clock }, [purgeRequests(one.store)]);
    await worker.drain();
    clock.advance(hours(1));
    await worker.drain();
    const [last] = await one.store.jobs.list({ limit: 1, kind: "requests.purge" });
    expect(last).toMatchObject({ result: { requests: 1 } });
    const kept = await one.request("PUT", paths.cases, {
      token: await one.newToken(one.client),
      ...withKey("key", { name: "a case", severity: 20 }),
    });
    expect(kept.headers.get("idempotency-replayed")).toBe("true");
  });

  test("a form is the same with another boundary, and another one with another file", async () => {
    const { one, two, send } = await open();
    const id = (await send(one, "case")).body[0]?.id ?? "";
    const upload = (api: TestApi, content: string) =>
      api.request("POST", filePaths.upload, {
        token: one.token,
        ...withKey("file", formOf(id, { content })),
      });
    const first = await upload(one, "evidence");
    expect(first.status).toBe(200);
    const again = await upload(two, "evidence");
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await upload(two, "other evidence")).status).toBe(422);
  });

  test("existing clients get their own form of the response again", async () => {
    const api = await startTestApi({ databaseUrl: await engine.url(), config: { compat: true } });
    const body = { indicators: [indicator("compat.example")] };
    const first = await api.request("POST", iocPaths.indicators, withKey("key", body));
    expect(first.body).toMatchObject({ resources: [{ value: "compat.example" }] });
    const again = await api.request("POST", iocPaths.indicators, withKey("key", body));
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

type Write = Store["write"];

/** Replaces the store's writes until the returned function is called. */
function replaceWrite(
  store: Store,
  replacement: (write: () => ReturnType<Write>) => ReturnType<Write>,
): () => void {
  const write = store.write.bind(store) as (...parameters: Parameters<Write>) => ReturnType<Write>;
  Object.assign(store, {
    write: (...parameters: Parameters<Write>) => replacement(() => write(...parameters)),
  });
  return () => Reflect.deleteProperty(store, "write");
}
