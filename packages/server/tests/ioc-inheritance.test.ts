import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { domain, iocSuite, paths, type Indicator } from "./support/ioc.ts";
import { hours } from "./support/manual-clock.ts";
import { type ErrorBody, ahead, messages } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = iocSuite(engine);

  async function family() {
    const parent = await suite.open();
    const child = await suite.open(parent.tenant);
    const [inherited] = await parent.stored(
      domain("group.example", { tags: ["shared"], expiration: ahead(parent, hours(1)) }),
    );
    const [own] = await child.stored(domain("own.example", { tags: ["shared"] }));
    return { parent, child, inherited: inherited?.id ?? "", own: own?.id ?? "" };
  }

  test("a child sees its parents' indicators, marked and with the name of the parent", async () => {
    const { parent, child, inherited, own } = await family();
    expect(await child.values({ sort: "value" })).toEqual(["group.example", "own.example"]);
    expect(await child.values({ from_parent: true })).toEqual(["group.example"]);
    expect(await child.values({ from_parent: false })).toEqual(["own.example"]);
    expect(await child.values({ filter: "from_parent:true+tags:'shared'" })).toEqual([
      "group.example",
    ]);
    const [inheritedOne, ownOne] = (await child.get(inherited, own)).body;
    expect(inheritedOne).toMatchObject({ from_parent: true, parent_cid_name: parent.tenant.name });
    expect(ownOne).toMatchObject({ from_parent: false });
    expect(ownOne).not.toHaveProperty("parent_cid_name");
    const [there] = (await parent.get(inherited)).body;
    expect(there).toMatchObject({ from_parent: false });
    expect(await parent.values({})).toEqual(["group.example"]);
    expect(await parent.values({ from_parent: true })).toEqual([]);
  });

  test("inherited indicators expire like own ones, and are sorted together with them", async () => {
    const { child, inherited } = await family();
    const grandchild = await suite.open(child.tenant);
    await grandchild.stored(domain("below.example"));
    expect(await grandchild.values({ sort: "value" })).toEqual([
      "below.example",
      "group.example",
      "own.example",
    ]);
    child.clock.advance(hours(1));
    expect((await grandchild.get(inherited)).body[0]).toMatchObject({
      from_parent: true,
      expired: true,
      action: "no_action",
    });
    expect(await child.values({ filter: "expired:true" })).toEqual(["group.example"]);
  });

  test("aggregates and offset pages count visible indicators", async () => {
    const { child } = await family();
    const count = async (query: Record<string, boolean>) => {
      const answer = await child.request<{ buckets: { label: string; count: number }[] }[]>(
        "POST",
        paths.aggregates,
        { query, body: { name: "n", type: "terms", field: "tags" } },
      );
      const page = await child.request<Indicator[]>("GET", paths.combined, {
        query: { offset: 0, ...query },
      });
      return [answer.body[0]?.buckets[0]?.count, Number(page.headers.get("x-total-count"))];
    };
    expect(await count({})).toEqual([2, 2]);
    expect(await count({ from_parent: true })).toEqual([1, 1]);
    expect(await count({ from_parent: false })).toEqual([1, 1]);
  });

  test("a child cannot change them: 403 with the reason, and nothing changes", async () => {
    const { parent, child, inherited, own } = await family();
    const refused = async (answer: { status: number; body: ErrorBody }) => {
      expect(answer.status).toBe(403);
      return answer.body.errors;
    };
    const item = { id: inherited, severity: "low" };
    expect(await refused(await child.update<ErrorBody>({ indicators: [item] }))).toEqual([
      { code: 403, id: inherited, message: expect.stringContaining("belongs to a parent tenant") },
    ]);
    await refused(await child.update<ErrorBody>({ indicators: [{ id: own, from_parent: true }] }));
    await refused(
      await child.update<ErrorBody>({
        bulk_update: { filter: "id:*", from_parent: true, severity: "low" },
      }),
    );
    await refused(await child.remove<ErrorBody>({ ids: [own, inherited] }));
    await refused(await child.remove<ErrorBody>({ filter: "id:*", from_parent: true }));
    const mixed = await child.update<ErrorBody>({
      indicators: [item, { id: "0".repeat(64), severity: "low" }],
    });
    expect(mixed.status).toBe(404);
    expect(messages(mixed)).toEqual([expect.stringContaining("0".repeat(64))]);
    expect((await parent.get(inherited)).body[0]?.severity).toBe("high");
    expect(await child.values({ from_parent: false })).toEqual(["own.example"]);
  });

  test("bulk changes do not affect them", async () => {
    const { parent, child } = await family();
    const changed = await child.update({
      bulk_update: { filter: "tags:'shared'", severity: "low" },
    });
    expect(changed.body.map(({ value }) => value)).toEqual(["own.example"]);
    expect((await child.remove({ filter: "tags:'shared'" })).body).toHaveLength(1);
    expect(await parent.values({})).toEqual(["group.example"]);
  });

  test("a parent's value is not a duplicate for the child", async () => {
    const { child } = await family();
    expect((await child.create([domain("group.example")])).status).toBe(201);
    expect(await child.values({ filter: "value:'group.example'" })).toHaveLength(2);
  });

  test("a child finds the parent's deleted ones with deleted:true", async () => {
    const { parent, child, inherited } = await family();
    await parent.remove({ ids: [inherited] });
    expect(await child.values({})).toEqual(["own.example"]);
    expect(await child.values({ filter: "deleted:true" })).toEqual(["group.example"]);
  });

  test("unrelated tenants see nothing of each other", async () => {
    const { inherited } = await family();
    const stranger = await suite.open();
    expect(await stranger.values({})).toEqual([]);
    const answers = [
      await stranger.get<ErrorBody>(inherited),
      await stranger.update<ErrorBody>({ indicators: [{ id: inherited, severity: "low" }] }),
      await stranger.remove<ErrorBody>({ ids: [inherited] }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(messages(answer)).toEqual([`indicator ${inherited} not found`]);
    }
  });
});
