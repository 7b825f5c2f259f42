import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, hash, iocSuite } from "./support/ioc.ts";
import { hours, minutes } from "./support/manual-clock.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

const unknown = "0".repeat(64);

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  test("an empty source is stored as sent, and null clears it; tags are a set", async () => {
    const api = await suite.open();
    const [created] = await api.stored(
      domain("s.example", { source: "", tags: ["b", "a", "b", "a"] }),
    );
    expect(created).toMatchObject({ source: "", description: "", tags: ["b", "a"] });
    const id = created?.id ?? "";
    const change = async (changes: object) => {
      const answer = await api.update({ indicators: [{ id, ...changes }] });
      expect(answer.status, answer.text).toBe(200);
      return (await api.get(id)).body[0];
    };
    expect(await change({ source: null })).not.toHaveProperty("source");
    expect(await change({ source: "", tags: ["x", "x"] })).toMatchObject({
      source: "",
      tags: ["x"],
    });
    expect(await change({ description: "d" })).toHaveProperty("source", "");
    const bulk = { filter: `id:'${id}'`, source: "feed", tags: ["y", "z", "y"] };
    expect((await api.update({ bulk_update: bulk })).body).toMatchObject([
      { source: "feed", tags: ["y", "z"] },
    ]);
    expect(await api.values({ filter: "source:''" })).toEqual([]);
  });

  test("changes only the listed members", async () => {
    const api = await suite.open();
    const [before] = await api.stored(
      domain("a.example", { description: "first", source: "feed", tags: ["x"] }),
    );
    api.clock.advance(minutes(1));
    const id = before?.id ?? "";
    const answer = await api.update({ indicators: [{ id, severity: "low", description: "" }] });
    expect(answer.status).toBe(200);
    const { description: _cleared, ...kept } = before ?? { description: "" };
    expect(answer.body).toEqual([
      {
        ...kept,
        description: "",
        severity: "low",
        modified_by: api.clientId,
        modified_on: api.clock.now().toISOString(),
      },
    ]);
    expect((await api.get(id)).text).toBe(answer.text);
    const cleared = await api.update({
      indicators: [{ id, description: null, source: null, tags: [] }],
    });
    expect(cleared.body[0]).toHaveProperty("description", "");
    expect(cleared.body[0]).not.toHaveProperty("source");
    expect(cleared.body[0]?.tags).toEqual([]);
  });

  test("the response is in the requested order, and one invalid item prevents all changes", async () => {
    const api = await suite.open();
    const [a, b] = await api.stored(domain("a.example"), domain("b.example"));
    const both = await api.update({
      indicators: [
        { id: b?.id, tags: ["b"] },
        { id: a?.id, tags: ["a"] },
      ],
    });
    expect(both.body.map(({ id }) => id)).toEqual([b?.id, a?.id]);
    const bad = await api.update<ErrorBody>({
      indicators: [
        { id: a?.id, tags: ["changed"] },
        { id: b?.id, severity: null },
      ],
    });
    expect(bad.status).toBe(400);
    expect(bad.body.errors).toEqual([
      {
        code: 400,
        id: b?.id,
        message: expect.stringMatching(/^body\.indicators\[1\]\.severity: cannot/),
      },
    ]);
    expect((await api.get(a?.id ?? "")).body[0]?.tags).toEqual(["a"]);
  });

  test("an unknown id causes a 404 that names it, and nothing changes", async () => {
    const api = await suite.open();
    const [a] = await api.stored(domain("a.example"));
    const foreign = (await (await suite.open()).stored(domain("b.example")))[0]?.id ?? "";
    const answer = await api.update<ErrorBody>({
      indicators: [
        { id: a?.id, severity: "low" },
        { id: unknown, severity: "low" },
        { id: foreign, severity: "low" },
      ],
    });
    expect(answer.status).toBe(404);
    expect(answer.body.errors.map(({ id }) => id)).toEqual([unknown, foreign]);
    expect((await api.get(a?.id ?? "")).body[0]?.severity).toBe("high");
  });

  test("type and value cannot change, and an indicator cannot be listed twice", async () => {
    const api = await suite.open();
    const [a] = await api.stored(domain("a.example"));
    const id = a?.id;
    const changed = await api.update<ErrorBody>({
      indicators: [{ id, type: "ipv4", value: "b.example" }],
    });
    expect(changed.status).toBe(400);
    expect(messages(changed)).toEqual([
      expect.stringMatching(/^body\.indicators\[0\]\.type: cannot change/),
      expect.stringMatching(/^body\.indicators\[0\]\.value: cannot change/),
    ]);
    expect(
      (await api.update({ indicators: [{ id, type: "domain", value: "A.example" }] })).status,
    ).toBe(200);
    const twice = await api.update<ErrorBody>({
      indicators: [
        { id, tags: [] },
        { id, tags: ["x"] },
      ],
    });
    expect(messages(twice)).toEqual([expect.stringMatching(/^body\.indicators\[1\]\.id: /)]);
  });

  test("expiration: in the future, null for never, a zero time for clients without null", async () => {
    const api = await suite.open();
    const [a] = await api.stored(domain("a.example", { expiration: ahead(api, hours(2)) }));
    const change = (expiration: string | null, query = {}) =>
      api.update({ indicators: [{ id: a?.id, expiration }] }, query);
    expect((await change(ahead(api, -1))).status).toBe(400);
    expect((await change(a?.expiration ?? "")).status).toBe(200);
    expect((await change(null)).body[0]).not.toHaveProperty("expiration");
    expect((await change(ahead(api, hours(3)))).status).toBe(200);
    expect((await change("0001-01-01T00:00:00Z")).body[0]).not.toHaveProperty("expiration");
    expect((await change(ahead(api, minutes(30)))).status).toBe(400);
    expect((await change(ahead(api, minutes(30)), { ignore_warnings: true })).status).toBe(200);
  });

  test("an expired indicator with a later expiration is active again", async () => {
    const api = await suite.open();
    const [a] = await api.stored(domain("a.example", { expiration: ahead(api, hours(2)) }));
    api.clock.advance(hours(3));
    const touched = await api.update({ indicators: [{ id: a?.id, tags: ["late"] }] });
    expect(touched.body[0]).toMatchObject({ expired: true, action: "no_action", tags: ["late"] });
    const renewed = await api.update({
      indicators: [{ id: a?.id, expiration: ahead(api, hours(2)) }],
    });
    expect(renewed.body[0]).toMatchObject({ expired: false, action: "detect" });
  });

  test("bulk update changes all indicators that the filter selects at that time", async () => {
    const api = await suite.open();
    await api.stored(
      domain("a.example", { source: "feed" }),
      domain("b.example", { source: "feed", expiration: ahead(api, hours(2)) }),
      domain("c.example", { source: "other" }),
    );
    api.clock.advance(hours(3));
    const answer = await api.update({
      comment: "all of it",
      bulk_update: { filter: "source:'feed'+expired:false", severity: "low", tags: ["seen"] },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.map(({ value }) => value)).toEqual(["a.example"]);
    expect(await api.values({ filter: "tags:'seen'" })).toEqual(["a.example"]);
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 1 });
    expect(entry).toMatchObject({
      operation: "indicator.update.v1",
      comment: "all of it",
      ids: answer.body.map(({ id }) => id),
    });
    const none = await api.update({ bulk_update: { filter: "source:'nobody'", severity: "low" } });
    expect([none.status, none.body]).toEqual([200, []]);
  });

  test("a bulk update that is invalid for one indicator changes none and names it", async () => {
    const api = await suite.open();
    const [, b] = await api.stored(
      domain("a.example", { action: "no_action" }),
      domain("b.example"),
    );
    const answer = await api.update<ErrorBody>({ bulk_update: { filter: "id:*", severity: "" } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { code: 400, id: b?.id, message: expect.stringMatching(/^body\.bulk_update\.severity: /) },
    ]);
    expect(await api.values({ filter: "severity:'high'" })).toHaveLength(2);
  });

  test.each(["", "   "])("the empty filter %j is rejected", async (filter) => {
    const api = await suite.open();
    await api.stored(domain("a.example"));
    const answer = await api.update<ErrorBody>({ bulk_update: { filter, severity: "low" } });
    expect(answer.status).toBe(400);
    expect(await api.values({ filter: "severity:'high'" })).toHaveLength(1);
  });

  test("an invalid filter, both forms, or none is rejected", async () => {
    const api = await suite.open();
    const wrong = await api.update<ErrorBody>({
      bulk_update: { filter: "colour:'red'", severity: "low" },
    });
    expect(messages(wrong)[0]).toMatch(/^Invalid filter expression supplied/);
    const item = { id: unknown, severity: "low" };
    const both = { indicators: [item], bulk_update: { filter: "id:*", severity: "low" } };
    expect((await api.update(both)).status).toBe(400);
    expect((await api.update({})).status).toBe(400);
  });

  test("a change that blocks a known-good file causes a warning", async () => {
    const api = await suite.open();
    const [empty] = await api.stored({
      ...hash("e"),
      type: "md5",
      value: "d41d8cd98f00b204e9800998ecf8427e",
      action: "allow",
    });
    const change = (changes: object, query = {}) =>
      api.update({ indicators: [{ id: empty?.id, ...changes }] }, query);
    expect((await change({ tags: ["x"] })).status).toBe(200);
    expect((await change({ action: "prevent" })).status).toBe(400);
    expect((await change({ action: "prevent" }, { ignore_warnings: true })).status).toBe(200);
  });
});
