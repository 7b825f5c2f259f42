/** Values of another realm, as in a test environment with jsdom. */
import { createContext, runInContext } from "node:vm";
import { expect } from "vitest";
import { startPlatform, type FetchInput, type RecordInput } from "../src/index.ts";
import { test } from "../src/vitest.ts";

const realm = createContext({ Headers });
const foreign = (code: string): unknown => runInContext(code, realm) as unknown;

test("builders and records take lists and objects of another realm", async ({ platform }) => {
  const { seed, client } = platform;
  const hosts = foreign("[{ hostname: 'a', tags: ['x'] }, {}]") as RecordInput<"hosts">[];
  const [first, second] = await seed.hosts(hosts);
  expect(first).toMatchObject({ hostname: "a", tags: ["x"] });
  const { data } = await client.companion.listHostIds({ sort: "hostname" });
  expect(data).toEqual([first?.device_id, second?.device_id]);
  await seed.records("hosts", [
    { ...second, device_id: "f".repeat(32), ...(foreign("({ tags: ['y'] })") as object) } as never,
  ]);
  const tagged = await client.companion.listHostIds({ filter: "tags:'y'" });
  expect(tagged.data).toEqual(["f".repeat(32)]);
});

test("the clock takes dates of another realm", async () => {
  const now = foreign("new Date('2026-03-01T12:00:00Z')") as Date;
  await using platform = await startPlatform({ now });
  expect(platform.clock.now()).toEqual(new Date("2026-03-01T12:00:00Z"));
  await platform.clock.advanceTo(foreign("new Date('2026-03-02T12:00:00Z')") as Date);
  expect(platform.clock.now()).toEqual(new Date("2026-03-02T12:00:00Z"));
  const invalid = foreign("new Date(NaN)") as Date;
  await expect(platform.clock.advanceTo(invalid)).rejects.toThrow("instant: expected an instant");
  await expect(startPlatform({ now: foreign("({})") as Date })).rejects.toThrow("now: expected");
});

test("fetch takes requests and URLs of another realm", async ({ platform }) => {
  const { baseUrl } = platform;
  const inputs = [
    `({ href: '${baseUrl}/healthz', toString() { return this.href; } })`,
    `({ url: '${baseUrl}/healthz', method: 'GET', headers: new Headers(), body: null })`,
    `({ url: '${baseUrl}/oauth2/token', method: 'POST', body: 'grant_type=x',
        headers: new Headers({ 'content-type': 'application/x-www-form-urlencoded' }) })`,
  ];
  const statuses = [];
  for (const input of inputs) {
    statuses.push((await platform.fetch(foreign(input) as FetchInput)).status);
  }
  expect(statuses).toEqual([200, 200, 400]);
});
