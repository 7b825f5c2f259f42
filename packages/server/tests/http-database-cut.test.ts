/** @module-tag exhaustive */
import { expect, test, vi } from "vitest";
import { startTestApi, type TestApi } from "./support/api.ts";
import { breakableLink, type BreakableLink, type Direction } from "./support/breakable-link.ts";
import { onPostgres } from "./support/engines.ts";
import { domain } from "./support/ioc.ts";

const indicators = "/iocs/entities/indicators/v1";
const search = "/iocs/queries/indicators/v1";

/** Cuts of each direction. `CUTS=100` tries more places. */
const cuts = Number(process.env["CUTS"] ?? 4);
const atOnce = 6;
const patience = { timeout: 60_000, interval: 50 };

/** A call that creates two indicators, or none. */
interface Create {
  readonly key: string;
  readonly values: readonly [string, string];
  status: number;
}

onPostgres((engine) => {
  test.each<Direction>(["to the database", "from the database"])(
    "a network that is cut anywhere %s loses no acknowledged write, and halves none",
    async (direction) => {
      const link = await breakableLink(await engine.url());
      const api = await startTestApi({ databaseUrl: link.url });
      let unacknowledged = 0;
      for (let round = 0; round < cuts; round += 1) {
        const calls = Array.from({ length: atOnce }, (_, index): Create => {
          const name = `round${round}-call${index}`;
          return { key: name, values: [`${name}-a.example`, `${name}-b.example`], status: 0 };
        });
        // Other places in the messages of a transaction each time: a prime number reaches all of them.
        link.cutAfter(1 + ((round * 397) % 4_800), direction);
        await sendUntilCut(api, link, calls);
        for (const { status } of calls) expect([201, 503]).toContain(status);
        unacknowledged += calls.filter(({ status }) => status === 503).length;
        await vi.waitFor(async () => {
          expect((await api.request("GET", "/readyz", { token: null })).status).toBe(200);
        }, patience);
        const stored = await valuesOf(api, `round${round}-`);
        for (const { values, status } of calls) {
          const kept = values.filter((value) => stored.has(value)).length;
          expect(status === 201 ? [2] : [0, 2], `${values[0]}: ${status}`).toContain(kept);
        }
        // Whatever became of a call, sending it again with its key completes it once. 409: it was carried out, but its
        // response is lost.
        for (const call of calls) expect([201, 409]).toContain(await create(api, call));
        expect((await valuesOf(api, `round${round}-`)).size).toBe(2 * calls.length);
      }
      // Otherwise no cut has hit a write.
      expect(unacknowledged).toBeGreaterThan(0);
    },
    60_000 + cuts * 10_000,
  );

  test("a network that delays its messages delays the response, and nothing else", async () => {
    const link = await breakableLink(await engine.url());
    const api = await startTestApi({ databaseUrl: link.url });
    const call: Create = { key: "late", values: ["late-a.example", "late-b.example"], status: 0 };
    link.freeze();
    const answer = create(api, call);
    // Answered without the database.
    expect((await api.request("GET", "/healthz", { token: null })).status).toBe(200);
    link.thaw();
    expect(await answer).toBe(201);
    expect((await valuesOf(api, "late-")).size).toBe(2);
  });
});

/** All calls at once, and then reads, until the network is cut. */
async function sendUntilCut(
  api: TestApi,
  link: BreakableLink,
  calls: readonly Create[],
): Promise<void> {
  await Promise.all(
    calls.map(async (call) => {
      call.status = await create(api, call);
    }),
  );
  while (!link.isCut) await api.request("GET", search, { query: { limit: 1 } });
}

async function create(api: TestApi, { key, values }: Create): Promise<number> {
  const { status, text } = await api.request("POST", indicators, {
    headers: { "idempotency-key": key },
    body: { indicators: values.map((value) => domain(value)) },
  });
  expect(text).not.toMatch(/ECONN|EPIPE|Connection terminated/);
  return status;
}

async function valuesOf(api: TestApi, prefix: string): Promise<ReadonlySet<string>> {
  const { body } = await api.request<readonly { readonly value: string }[]>(
    "GET",
    "/iocs/combined/indicator/v1",
    { query: { filter: `value:*'${prefix}*'`, limit: 100 } },
  );
  return new Set(body.map(({ value }) => value));
}
