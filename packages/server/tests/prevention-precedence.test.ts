import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  nobody,
  paths,
  policy,
  preventionSuite,
  type Policy,
  type Session,
} from "./support/prevention.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const letters = ["A", "B", "C", "D", "E", "F", "G", "H"];

/** Policies on Windows, called A, B, C, and so on. */
const several = async (api: Session, count: number): Promise<readonly Policy[]> =>
  api.stored(...letters.slice(0, count).map((name) => policy(name)));

/** Names by precedence, each with its position, which only filters can use. */
async function places(api: Session): Promise<readonly string[]> {
  const names: string[] = [];
  for (let place = 1; ; place += 1) {
    const answer = await api.request<readonly Policy[]>("GET", paths.combined, {
      query: { filter: `platform_name:'Windows'+precedence:${place}` },
    });
    if (answer.body.length === 0) return names;
    names.push(answer.body.map(({ name }) => name).join(" and "));
  }
}

withPostgresAtNight((engine) => {
  const suite = preventionSuite(engine);

  test("policies get the requested order, and do not show it", async () => {
    const api = await suite.open();
    const [a, b, c] = await several(api, 3);
    if (a === undefined || b === undefined || c === undefined) throw new Error("too few");
    api.clock.advance(60_000);
    const ids = [c.id, a.id, b.id];
    const answer = await api.reorder("Windows", ids);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(ids);
    expect(await api.order()).toEqual(["C", "A", "B", "platform_default"]);
    expect(await places(api)).toEqual(["C", "A", "B"]);
    expect((await api.get(a.id)).body).toEqual([a]);
    expect(a).not.toHaveProperty("precedence");
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 1 });
    expect(entry).toMatchObject({ operation: "setPreventionPoliciesPrecedence", ids });
    expect((await api.reorder("Windows", ids)).status).toBe(200);
    expect(await places(api)).toEqual(["C", "A", "B"]);
  });

  test("each platform has its own order", async () => {
    const api = await suite.open();
    const [a, b] = await several(api, 2);
    const [m, n] = await api.stored(
      policy("M", { platform_name: "Mac" }),
      policy("N", { platform_name: "Mac" }),
    );
    await api.reorder("Mac", [n?.id ?? "", m?.id ?? ""]);
    expect(await api.order("Mac")).toEqual(["N", "M", "platform_default"]);
    expect(await places(api)).toEqual(["A", "B"]);
    await api.reorder("Windows", [b?.id ?? "", a?.id ?? ""]);
    expect(await api.order("Mac")).toEqual(["N", "M", "platform_default"]);
  });

  test("a list with missing, unknown or repeated policies changes nothing", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const [a, b, c] = await several(api, 3);
    const mac = await api.one(policy("M", { platform_name: "Mac" }));
    const standard = await api.defaultOf("Windows");
    const foreign = await other.one(policy("Foreign"));
    if (a === undefined || b === undefined || c === undefined) throw new Error("too few");
    const refused = async (status: number, ids: readonly string[], ...expected: string[]) => {
      const answer = await api.reorder<ErrorBody>("Windows", ids);
      expect(answer.status, answer.text).toBe(status);
      expect(messages(answer)).toEqual(expected);
      expect(await api.order()).toEqual(["A", "B", "C", "platform_default"]);
    };
    const rest = "list every policy of Windows but the default one";
    await refused(400, [b.id, a.id], `body.ids: lacks ${c.id}, C; ${rest}`);
    await refused(
      400,
      [c.id, a.id, mac.id],
      `body.ids[2]: ${mac.id} is a policy of Mac, not of Windows`,
      `body.ids: lacks ${b.id}, B; ${rest}`,
    );
    await refused(
      400,
      [c.id, b.id, a.id, standard.id],
      `body.ids[3]: ${standard.id} is the default policy, which stays last; omit it`,
    );
    await refused(404, [c.id, b.id, a.id, nobody], `prevention policy ${nobody} not found`);
    await refused(404, [foreign.id, b.id], `prevention policy ${foreign.id} not found`);
    const twice = await api.reorder<ErrorBody>("Windows", [a.id, b.id, c.id, a.id]);
    expect(twice.status).toBe(400);
    expect(messages(twice)[0]).toMatch(/^body\.ids: expected items that differ/);
  });

  test.each([
    ["no ids", { ids: [], platform_name: "Windows" }, /^body\.ids: expected 1 to 5000 items/],
    ["no platform", { ids: [nobody] }, /^body\.platform_name: is required$/],
    [
      "a platform without settings",
      { ids: [nobody], platform_name: "iOS" },
      /^body\.platform_name: expected one of Windows, Mac, Linux, got "iOS"/,
    ],
    ["a malformed id", { ids: ["A"], platform_name: "Windows" }, /^body\.ids\[0\]: expected/],
  ])("a request with %s", async (_, body, message) => {
    const api = await suite.open();
    const answer = await api.request<ErrorBody>("POST", paths.precedence, { body });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(message);
  });

  test("a deletion leaves no gaps, and a new policy is last", async () => {
    const api = await suite.open();
    const created = await several(api, 5);
    const [a, , c] = created;
    const answer = await api.remove(c?.id ?? "", a?.id ?? "");
    expect(answer.status, answer.text).toBe(200);
    expect(await places(api)).toEqual(["B", "D", "E"]);
    await api.one(policy("A"));
    expect(await places(api)).toEqual(["B", "D", "E", "A"]);
    expect(await api.order()).toEqual(["B", "D", "E", "A", "platform_default"]);
  });

  test("a deletion and a new policy keep an order that is not that of the creation", async () => {
    const api = await suite.open();
    const created = await several(api, 4);
    await api.reorder("Windows", created.map(({ id }) => id).toReversed());
    await api.remove(created[2]?.id ?? "");
    expect(await places(api)).toEqual(["D", "B", "A"]);
    await api.one(policy("E"));
    expect(await places(api)).toEqual(["D", "B", "A", "E"]);
  });

  test("a hundred concurrent reorderings leave one of the requested orders", async () => {
    const api = await suite.open();
    const created = await several(api, 8);
    const ids = created.map(({ id }) => id);
    const orders = Array.from({ length: 100 }, (_, index) =>
      ids.toSorted((left, right) => rank(left, index) - rank(right, index)),
    );
    const answers = await Promise.all(orders.map((order) => api.reorder("Windows", order)));
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(answers.map(({ body }) => body)).toEqual(orders);
    const left = await api.ids({ filter: "platform_name:'Windows'", sort: "precedence.asc" });
    expect(left).toHaveLength(9);
    expect(orders).toContainEqual(left.slice(0, 8));
    expect(await places(api)).toHaveLength(8);
  });

  test("concurrent reorderings, creations and deletions leave an order without gaps", async () => {
    const api = await suite.open();
    const created = await several(api, 8);
    const ids = created.map(({ id }) => id);
    const writes = Array.from({ length: 60 }, (_, index) => {
      if (index % 10 === 3) return api.create(policy(`New ${index}`));
      if (index % 20 === 7) return api.remove(ids[index % 8] ?? "");
      return api.reorder("Windows", index % 2 === 0 ? ids : ids.toReversed());
    });
    const answers = await Promise.all(writes);
    for (const { status, text } of answers) {
      expect([200, 201, 400, 404]).toContain(status);
      if (status >= 400) expect(text).toMatch(/lacks|not found/);
    }
    const names = await api.order();
    expect(await places(api)).toEqual(names.slice(0, -1));
    expect(names.at(-1)).toBe("platform_default");
  });
});

/** Another order of the same ids for each number. */
const rank = (id: string, number: number): number =>
  Number.parseInt(id.slice(number % 24, (number % 24) + 8), 16) ^ (number * 0x9e37_79b1);
