import { test } from "@security-platform/testing/vitest";
import { expect } from "vitest";
import { publishBlocklist } from "./blocklist.ts";

test("creates what is new and deletes what is gone", async ({ platform }) => {
  const publish = (...domains: readonly string[]) =>
    publishBlocklist(platform.client, "feed", domains, platform.clock.now());
  expect(await publish("a.example", "b.example")).toEqual({ created: 2, deleted: 0 });
  expect(await publish("a.example", "b.example")).toEqual({ created: 0, deleted: 0 });
  expect(await publish("b.example", "c.example")).toEqual({ created: 1, deleted: 1 });
  const { data } = await platform.client.ioc.listIndicators({ sort: "value" });
  expect(data.map(({ value }) => value)).toEqual(["b.example", "c.example"]);
});

test("creates each indicator once, even if the response is lost", async ({ platform }) => {
  platform.faults.add({ operation_id: "indicator.create.v1", drop: "after" });
  const now = platform.clock.now();
  expect(await publishBlocklist(platform.client, "feed", ["a.example"], now)).toEqual({
    created: 1,
    deleted: 0,
  });
  const { data } = await platform.client.ioc.listIndicators();
  expect(data).toHaveLength(1);
  const sent = platform.requests.list({ operation_id: "indicator.create.v1" });
  expect(sent).toHaveLength(2);
});

test("renews what it publishes again, also after it has expired", async ({ platform }) => {
  const publish = () =>
    publishBlocklist(platform.client, "feed", ["a.example"], platform.clock.now());
  await publish();
  for (const duration of ["20 d", "20 d", "31 d"]) {
    await platform.clock.advance(duration);
    await publish();
    const { data } = await platform.client.ioc.listIndicators();
    expect(data).toMatchObject([{ expired: false, action: "detect" }]);
  }
});

test("deletes more than one request can take", async ({ platform }) => {
  const domains = Array.from({ length: 201 }, (_, index) => `${index}.example`);
  const publish = (published: readonly string[]) =>
    publishBlocklist(platform.client, "feed", published, platform.clock.now());
  expect(await publish(domains)).toEqual({ created: 201, deleted: 0 });
  expect(await publish([])).toEqual({ created: 0, deleted: 201 });
});

test("indicators that are not renewed have no effect after 30 days", async ({ platform }) => {
  await publishBlocklist(platform.client, "feed", ["a.example"], platform.clock.now());
  await platform.clock.advance("31 d");
  const { data } = await platform.client.ioc.listIndicators();
  expect(data[0]).toMatchObject({ expired: true, action: "no_action" });
});
