import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, iocSuite } from "./support/ioc.ts";
import { days, hours } from "./support/manual-clock.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

const unknown = "0".repeat(64);

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  test("deletes by id, all or none", async () => {
    const api = await suite.open();
    const [a, b] = await api.stored(domain("a.example"), domain("b.example"));
    const missing = await api.remove<ErrorBody>({ ids: [a?.id ?? "", unknown] });
    expect(missing.status).toBe(404);
    expect(missing.body.errors.map(({ id }) => id)).toEqual([unknown]);
    expect(await api.values({})).toHaveLength(2);
    const answer = await api.remove({
      ids: [b?.id ?? "", a?.id ?? "", b?.id ?? ""],
      comment: "over",
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([b?.id, a?.id]);
    expect(await api.values({})).toEqual([]);
    expect((await api.get(a?.id ?? "")).body).toEqual([{ ...a, deleted: true }]);
    expect((await api.remove({ ids: [a?.id ?? ""] })).status).toBe(404);
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 1 });
    expect(entry).toMatchObject({
      operation: "indicator.delete.v1",
      comment: "over",
      ids: answer.body,
    });
  });

  test("a filter may name the fields of inherited indicators", async () => {
    const api = await suite.open();
    await api.stored(domain("a.example"), domain("b.example"));
    const inherited = await api.remove({ filter: "parent_cid_name:*" });
    expect([inherited.status, inherited.body]).toEqual([200, []]);
    const own = await api.remove({ filter: "parent_cid_name:!*+value:'a.example'" });
    expect(own.status).toBe(200);
    expect(await api.values({})).toEqual(["b.example"]);
  });

  test("a filter takes precedence over ids, and uses the current expiry", async () => {
    const api = await suite.open();
    const [a] = await api.stored(
      domain("a.example"),
      domain("b.example", { expiration: ahead(api, hours(2)) }),
    );
    api.clock.advance(hours(3));
    const answer = await api.remove({ filter: "expired:true", ids: [a?.id ?? ""] });
    expect(answer.body).toHaveLength(1);
    expect(await api.values({})).toEqual(["a.example"]);
  });

  test("ids beside a filter are ignored, whatever they are", async () => {
    const api = await suite.open();
    for (const ids of [["zzz"], [""], [unknown], Array.from({ length: 201 }, () => "0"), ["a,b"]]) {
      await api.stored(domain("a.example"), domain("b.example"));
      const answer = await api.remove({ filter: "value:'a.example'", ids });
      expect([answer.status, await api.values({})]).toEqual([200, ["b.example"]]);
      expect((await api.remove({ filter: "id:*" })).status).toBe(200);
    }
    const malformed = await api.remove<ErrorBody>({ ids: ["zzz"] });
    expect([malformed.status, messages(malformed)[0]]).toEqual([
      400,
      expect.stringMatching(/^query\.ids\[0\]: /),
    ]);
    expect((await api.remove({ filter: "value:", ids: [unknown] })).status).toBe(400);
  });

  test("an empty filter, or no selection, deletes nothing", async () => {
    const api = await suite.open();
    const [a] = await api.stored(domain("a.example"));
    expect((await api.remove({ filter: "", ids: [a?.id ?? ""] })).status).toBe(400);
    const blank = await api.remove<ErrorBody>({ filter: " ", ids: [a?.id ?? ""] });
    expect(blank.status).toBe(400);
    expect(messages(blank)[0]).toMatch(/^Invalid filter expression supplied/);
    const nothing = await api.remove<ErrorBody>({});
    expect([nothing.status, messages(nothing)]).toEqual([
      400,
      ["query.ids: is required without filter"],
    ]);
    expect(await api.values({})).toEqual(["a.example"]);
  });

  test("deleted indicators are found on request only, for 30 days", async () => {
    const api = await suite.open();
    const [a] = await api.stored(domain("a.example", { source: "feed" }), domain("b.example"));
    await api.remove({ ids: [a?.id ?? ""] });
    expect(await api.values({ filter: "source:'feed'" })).toEqual([]);
    expect(await api.values({ filter: "deleted:false" })).toEqual(["b.example"]);
    expect(await api.values({ filter: "deleted:true" })).toEqual(["a.example"]);
    expect(await api.values({ filter: "deleted:true+source:'feed'" })).toEqual(["a.example"]);
    api.clock.advance(days(30) - 1);
    expect(await api.values({ filter: "deleted:true" })).toEqual(["a.example"]);
    api.clock.advance(1);
    expect(await api.values({ filter: "deleted:true" })).toEqual([]);
  });
});
