import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { fillIn } from "./support/fill-in.ts";
import { once } from "./support/once.ts";
import {
  nobody,
  paths,
  policy,
  preventionSuite,
  toggle,
  type Policy,
  type Session,
} from "./support/prevention.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const names = async (
  api: Session,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly string[]> => {
  const answer = await api.request<readonly Policy[]>("GET", paths.combined, { query });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.map(({ name, platform_name }) =>
    name === "platform_default" ? platform_name : name,
  );
};

withPostgresAtNight((engine) => {
  const suite = preventionSuite(engine);

  test("every tenant has an enabled default policy on every platform", async () => {
    const api = await suite.open();
    const answer = await api.request<readonly Policy[]>("GET", paths.combined);
    expect(
      answer.body.map(({ platform_name, name, enabled }) => [platform_name, name, enabled]),
    ).toEqual(
      ["Windows", "Mac", "Linux", "iOS", "Android"].map((platform) => [
        platform,
        "platform_default",
        true,
      ]),
    );
    expect(answer.headers.get("x-total-count")).toBe("5");
    expect(answer.body.map(({ cid }) => cid)).toEqual(Array(5).fill(api.tenant.cid));
    expect(new Set(answer.body.map(({ id }) => id)).size).toBe(5);
    const other = await suite.open();
    expect(await other.ids()).not.toEqual(await api.ids());
  });

  describe("filters", () => {
    const filled = once(async () => {
      const api = await suite.open();
      const [a] = await api.stored(
        policy("Alpha", { description: "For the lab" }),
        policy("Beta", { platform_name: "Linux" }),
        policy("alphabet", { platform_name: "Mac" }),
      );
      await api.act("enable", [a?.id ?? ""]);
      return { api, a: a?.id };
    });

    test.each([
      ["name:'alpha'", ["Alpha"]],
      ["name:*'ALPHA*'", ["Alpha", "alphabet"]],
      ["name.raw:'alpha'", []],
      ["name:~'bet'", ["alphabet", "Beta"]],
      ["description:'for the lab'", ["Alpha"]],
      ["platform_name:'Linux'", ["Beta", "Linux"]],
      ["enabled:true+name:!'platform_default'", ["Alpha"]],
      ["enabled:false", ["alphabet", "Beta"]],
      ["precedence:1", ["Alpha", "alphabet", "Beta"]],
      ["precedence:>1+platform_name:['iOS','Mac']", ["Mac", "iOS"]],
      ["created_by:'{client}'", ["Alpha", "alphabet", "Beta"]],
      ["id:'{a}'", ["Alpha"]],
      ["modified_timestamp:<'2000-01-01T00:00:00Z'", []],
    ])("%s", async (text, expected) => {
      const { api, a } = await filled();
      const filter = fillIn(text, { a, client: api.clientId });
      expect(await names(api, { filter, sort: "name" })).toEqual(expected);
    });
  });

  test("sorts; default policies come last by precedence", async () => {
    const api = await suite.open();
    const [a, b] = await api.stored(
      policy("A"),
      policy("B"),
      policy("C", { platform_name: "Mac" }),
    );
    await api.reorder("Windows", [b?.id ?? "", a?.id ?? ""]);
    const sorted = (sort: string, filter = "platform_name:['Windows','Mac']") =>
      names(api, { sort, filter });
    expect(await sorted("precedence.asc,platform_name")).toEqual(["C", "B", "A", "Mac", "Windows"]);
    expect((await sorted("precedence|desc")).slice(0, 2).toSorted()).toEqual(["Mac", "Windows"]);
    expect(await sorted("platform_name.desc,name")).toEqual(["A", "B", "Windows", "C", "Mac"]);
    expect((await sorted("name.desc")).slice(2)).toEqual(["C", "B", "A"]);
    expect(await sorted("enabled,created_timestamp,modified_by,name")).toEqual([
      "A",
      "B",
      "C",
      "Windows",
      "Mac",
    ]);
  });

  test("pages", async () => {
    const api = await suite.open();
    await api.stored(...Array.from({ length: 7 }, (_, index) => policy(`P${index}`)));
    const first = await api.request<readonly string[]>("GET", paths.query, {
      query: { filter: "platform_name:'Windows'", sort: "precedence", limit: 5 },
    });
    expect(first.body).toHaveLength(5);
    expect(first.headers.get("x-total-count")).toBe("8");
    expect(first.headers.get("link")).toContain("offset=5");
    const second = await api.ids({
      filter: "platform_name:'Windows'",
      sort: "precedence",
      limit: 5,
      offset: 5,
    });
    expect(second).toHaveLength(3);
    const standard = await api.defaultOf("Windows");
    expect(second.at(-1)).toBe(standard.id);
    expect(new Set([...first.body, ...second]).size).toBe(8);
  });

  test.each([
    [{ filter: "group_ids:'a'" }, /group_ids/],
    [{ filter: "rule_group_ids:'a'" }, /rule_group_ids/],
    [{ sort: "description" }, /description/],
    [{ filter: "platform_name:1" }, /platform_name/],
    [{ filter: "precedence:'first'" }, /precedence/],
    [{ filter: "name:" }, /Invalid filter/],
    [{ limit: 0 }, /query\.limit/],
    [{ limit: 5001 }, /query\.limit/],
    [{ offset: -1 }, /query\.offset/],
    [{ after: "x" }, /query\.after: unknown parameter/],
  ])("a search with %o", async (query, message) => {
    const api = await suite.open();
    for (const path of [paths.query, paths.combined]) {
      const answer = await api.request<ErrorBody>("GET", path, { query });
      expect(answer.status).toBe(400);
      expect(messages(answer)[0]).toMatch(message);
    }
  });

  test("get: in the requested order without duplicates; the 404 names missing ones and includes the others", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const [a, b] = await api.stored(policy("A"), policy("B", { settings: [toggle("MemoryScan")] }));
    const foreign = await other.one(policy("A"));
    if (a === undefined || b === undefined) throw new Error("too few");
    expect((await api.get(b.id, a.id, b.id)).body).toEqual([b, a]);
    const answer = await api.get<ErrorBody>(nobody, b.id, foreign.id);
    expect(answer.status).toBe(404);
    expect(answer.body.errors).toEqual(
      [nobody, foreign.id].map((id) => ({
        code: 404,
        id,
        message: `prevention policy ${id} not found`,
      })),
    );
    expect(answer.body.resources).toEqual([b]);
    expect((await api.get("x")).status).toBe(400);
    expect((await api.request("GET", paths.policies)).status).toBe(400);
  });

  test("delete: all or none, and only disabled policies", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const [a, b, c] = await api.stored(policy("A"), policy("B"), policy("C"));
    const standard = await api.defaultOf("Windows");
    const foreign = await other.one(policy("A"));
    if (a === undefined || b === undefined || c === undefined) throw new Error("too few");
    await api.act("enable", [b.id]);
    const kept = await api.remove<ErrorBody>(a.id, b.id, standard.id);
    expect(kept.status).toBe(409);
    expect(kept.body.errors).toEqual([
      { code: 409, id: b.id, message: `policy ${b.id}, B, is enabled; disable it first` },
      { code: 409, id: standard.id, message: "the default policy of Windows cannot be deleted" },
    ]);
    const missing = await api.remove<ErrorBody>(a.id, nobody, foreign.id);
    expect(missing.status).toBe(404);
    expect(missing.body.errors.map(({ id }) => id)).toEqual([nobody, foreign.id]);
    expect(await api.order()).toEqual(["A", "B", "C", "platform_default"]);
    await api.act("disable", [b.id]);
    const deletion = await api.remove(c.id, b.id, c.id);
    expect(deletion.status, deletion.text).toBe(200);
    expect(deletion.body).toEqual([c.id, b.id]);
    expect((await api.get(b.id)).status).toBe(404);
    expect((await api.remove(b.id)).status).toBe(404);
    expect(await api.order()).toEqual(["A", "platform_default"]);
    expect((await api.create(policy("B"))).status).toBe(201);
    expect(await other.order()).toEqual(["A", "platform_default"]);
  });
});
