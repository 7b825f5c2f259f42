import {
  createClient,
  NetworkError,
  RateLimitError,
  type ServerError,
} from "@security-platform/client";
import { describe, expect } from "vitest";
import type { FaultRule, TestPlatform } from "../src/index.ts";
import { test } from "../src/vitest.ts";
import { create, indicator, valuesOf } from "./support/indicators.ts";

const severities = "severity.query.v1";
const creation = "indicator.create.v1";

/** A client over HTTP that repeats nothing. */
const overHttp = ({ credentials }: TestPlatform) => createClient({ ...credentials, retries: 0 });

test("respond with any status and the body of the server's errors", async ({ platform }) => {
  const { id } = platform.faults.add({ operation_id: severities, status: 418 });
  const token = await tokenOf(platform);
  const headers = { authorization: `Bearer ${token}` };
  const response = await platform.fetch("/iocs/queries/severities/v1", { headers });
  expect(response.status).toBe(418);
  expect(await response.json()).toMatchObject({
    meta: { trace_id: response.headers.get("x-trace-id") },
    errors: [{ code: 418, message: "forced by the control plane" }],
  });
  expect(platform.requests.list({ fault: id })).toMatchObject([{ status: 418 }]);
  expect(platform.requests.list({ operation_id: "oauth2AccessToken" })[0]?.fault).toBeNull();
});

async function tokenOf(platform: TestPlatform): Promise<string> {
  const { clientId, clientSecret } = platform.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const response = await platform.fetch("/oauth2/token", { method: "POST", body });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

describe("hit", () => {
  test("once, n times, or always", async ({ platform }) => {
    const { client, faults } = platform;
    const outcomes = async (count: number): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let call = 0; call < count; call += 1) {
        const answer = client.ioc.listSeverities({}, { retries: 0 });
        statuses.push(
          await answer.then(
            () => 200,
            (error: ServerError) => error.status ?? 0,
          ),
        );
      }
      return statuses;
    };
    faults.add({ operation_id: severities, status: 500 });
    faults.add({ operation_id: severities, status: 502, times: 2 });
    faults.add({ operation_id: severities, status: 504, times: "always" });
    expect(await outcomes(5)).toEqual([500, 502, 502, 504, 504]);
    expect(faults.list()).toMatchObject([{ id: 3, hits: 2 }]);
    expect([faults.remove(3), faults.remove(3)]).toEqual([true, false]);
    expect(await outcomes(1)).toEqual([200]);
  });

  test("a share of the requests, the same for the same seed", async ({ platform }) => {
    const hits = async (seed: number): Promise<string> => {
      platform.faults.add({ status: 500, times: "always", probability: 0.3, seed });
      let pattern = "";
      for (let call = 0; call < 40; call += 1) {
        const answer = platform.client.ioc.listSeverities({}, { retries: 0 });
        pattern += await answer.then(
          () => ".",
          () => "x",
        );
      }
      platform.faults.clear();
      return pattern;
    };
    await platform.client.ioc.listSeverities();
    const first = await hits(1);
    expect(await hits(1)).toBe(first);
    expect(await hits(2)).not.toBe(first);
    const count = first.replaceAll(".", "").length;
    expect(count).toBeGreaterThan(3);
    expect(count).toBeLessThan(25);
  });

  test.each<[NonNullable<FaultRule["match"]>, readonly boolean[]]>([
    [{ body: { indicators: [{ value: "b.example" }] } }, [false, true]],
    [{ body: { indicators: [{ type: "domain" }] } }, [true, true]],
    [{ headers: { "content-type": "application/json" } }, [true, true]],
    [{ headers: { "content-type": "text/plain" } }, [false, false]],
    [{ query: { ignore_warnings: "true" } }, [false, false]],
    [{ path: { uuid: "a" } }, [false, false]],
  ])("requests with %j", async (match, expected) => {
    const { startPlatform } = await import("../src/index.ts");
    await using platform = await startPlatform();
    platform.faults.add({ operation_id: creation, match, status: 409, times: "always" });
    const refused: boolean[] = [];
    for (const value of ["a.example", "b.example"]) {
      refused.push(
        await create(platform, value).then(
          () => false,
          () => true,
        ),
      );
    }
    expect(refused).toEqual(expected);
  });
});

describe("a dropped connection", () => {
  test.each(["before", "after"] as const)("%s the write", async (drop) => {
    const { startPlatform } = await import("../src/index.ts");
    await using platform = await startPlatform();
    const client = overHttp(platform);
    for (const each of [client, platform.client]) {
      platform.faults.add({ operation_id: creation, drop });
      const value = each === client ? "http.example" : "memory.example";
      const body = { indicators: [indicator(value)] };
      const call = each.ioc.createIndicators({ body }, { retries: 0 });
      await expect(call).rejects.toThrow(NetworkError);
    }
    expect(await valuesOf(platform)).toEqual(
      drop === "before" ? [] : ["http.example", "memory.example"],
    );
    expect(platform.requests.list({ operation_id: creation })).toMatchObject([
      { status: null, fault: 1, ended: true },
      { status: null, fault: 2, ended: true },
    ]);
    await client.close();
  });
});

test("cut a body in its middle", async ({ platform }) => {
  const client = overHttp(platform);
  for (const each of [client, platform.client]) {
    platform.faults.add({ operation_id: severities, body: "truncated" });
    await expect(each.ioc.listSeverities({}, { retries: 0 })).rejects.toThrow();
    expect((await each.ioc.listSeverities()).data.length).toBeGreaterThan(0);
  }
  await client.close();
});

test("send a body in pieces", async ({ platform }) => {
  const client = overHttp(platform);
  const whole = (await platform.client.ioc.listSeverities()).data;
  for (const each of [client, platform.client]) {
    platform.faults.add({ operation_id: severities, body: "slow", slow_ms: 20 });
    expect((await each.ioc.listSeverities()).data).toEqual(whole);
  }
  await client.close();
});

test("replace the media type", async ({ platform }) => {
  platform.faults.add({ operation_id: severities, content_type: "text/html" });
  const { response } = await platform.client.ioc.listSeverities();
  expect(response.headers.get("content-type")).toBe("text/html");
});

test("a client that repeats a call survives them, and the clock shows how long it waited", async ({
  platform,
}) => {
  const { faults, client, clock } = platform;
  const start = clock.now().getTime();
  faults.add({ operation_id: severities, status: 429 });
  faults.add({ operation_id: severities, status: 503 });
  expect((await client.ioc.listSeverities()).data.length).toBeGreaterThan(0);
  expect(clock.now().getTime() - start).toBeGreaterThanOrEqual(2_000);
  faults.add({ operation_id: severities, status: 429, times: 3 });
  await expect(client.ioc.listSeverities()).rejects.toThrow(RateLimitError);
});

test.each<[unknown, string]>([
  [{ delay: 1_000 }, "delay: unknown field; did you mean delay_ms?"],
  [{ operation_id: "severity.query.v2", status: 500 }, "did you mean severity.query.v1?"],
  [{ status: 200 }, "status: "],
  [{ drop: "befor" }, "drop: "],
  [{ times: 0, status: 500 }, "times: "],
  [{ probability: 2, status: 500 }, "probability: "],
  [{ status: 500, match: { querry: {} } }, "match.querry: unknown field; did you mean query?"],
  [{ operation_id: severities }, "needs at least one of"],
  [null, "expected an object"],
])("%j is refused: %s", async (rule, message) => {
  const { startPlatform } = await import("../src/index.ts");
  await using platform = await startPlatform();
  expect(() => platform.faults.add(rule as FaultRule)).toThrow(message);
  expect(platform.faults.list()).toEqual([]);
});
