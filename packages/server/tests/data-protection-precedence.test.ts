import { expect, test } from "vitest";
import { nothing } from "./support/data-protection.ts";
import {
  policySuite,
  type Policy,
  type PolicySession,
} from "./support/data-protection-policies.ts";
import { forEachEngine } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

/** Policies on Windows with these names, in their order. */
async function several(api: PolicySession, names: string): Promise<readonly Policy[]> {
  const inputs = [...names].map((name) => ({ name, description: "" }));
  const answer = await api.createPolicies("win", ...inputs);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const standard = "Default policy";
const listed = async (api: PolicySession) =>
  (await api.order()).map((name) => (name === standard ? "." : name)).join("");

forEachEngine((engine) => {
  const suite = policySuite(engine);

  test("new policies get their requested places", async () => {
    const api = await suite.open();
    expect((await several(api, "ABC")).map(({ precedence }) => precedence)).toEqual([0, 1, 2]);
    expect(await listed(api)).toBe("ABC.");
    expect((await api.policy("D", { precedence: 1 })).precedence).toBe(1);
    expect(await listed(api)).toBe("ADBC.");
    expect((await api.policy("E", { precedence: 10_000 })).precedence).toBe(4);
    expect((await api.policy("F", { precedence: 0 })).precedence).toBe(0);
    expect(await listed(api)).toBe("FADBCE.");
    const answer = await api.createPolicies(
      "win",
      { name: "G", description: "" },
      { name: "H", description: "", precedence: 2 },
      { name: "I", description: "", precedence: 0 },
      { name: "J", description: "", precedence: 2 },
    );
    expect(answer.body.map(({ precedence }) => precedence)).toEqual([9, 4, 0, 2]);
    expect(await listed(api)).toBe("IFJAHDBCEG.");
    expect((await api.getPolicies(...answer.body.map(({ id }) => id))).body).toEqual(answer.body);
    expect(await api.order("mac")).toEqual([standard]);
  });

  test("a policy is moved, and the other policies move without a modification", async () => {
    const api = await suite.open();
    const [a, b, , d] = await several(api, "ABCD");
    if (a === undefined || b === undefined || d === undefined) throw new Error("too few");
    api.clock.advance(1_000);
    expect(await api.updated(a, { precedence: 2 })).toMatchObject({
      precedence: 2,
      modified_at: api.clock.now().toISOString(),
    });
    expect(await listed(api)).toBe("BCAD.");
    expect((await api.getPolicies(b.id)).body).toEqual([{ ...b, precedence: 0 }]);
    await api.updated(d, { precedence: 0, description: "first" });
    expect(await listed(api)).toBe("DBCA.");
    await api.updated(d, { precedence: 10_000 });
    expect(await listed(api)).toBe("BCAD.");
    await api.updated(d, { precedence: 3 });
    expect(await listed(api)).toBe("BCAD.");
    const answer = await api.update(
      "win",
      { id: d.id, precedence: 0 },
      { id: b.id, description: "stays" },
      { id: a.id, precedence: 1 },
    );
    expect(answer.body.map(({ name, precedence }) => [name, precedence])).toEqual([
      ["D", 0],
      ["B", 2],
      ["A", 1],
    ]);
    expect(await listed(api)).toBe("DABC.");
  });

  test("the complete order is set, on both platforms at once", async () => {
    const api = await suite.open();
    const [a, b, c] = await several(api, "ABC");
    if (a === undefined || b === undefined || c === undefined) throw new Error("too few");
    const m = await api.policy("M", {}, "mac");
    const n = await api.policy("N", {}, "mac");
    const [win, mac] = [await api.defaultOf("win"), await api.defaultOf("mac")];
    api.clock.advance(1_000);
    const moved = { modified_at: api.clock.now().toISOString(), modified_by: api.clientId };
    const answer = await api.reorder(
      { platform: "mac", precedence: [n.id, m.id] },
      { platform: "win", precedence: [c.id, b.id, a.id] },
    );
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual([
      { ...n, ...moved, precedence: 0 },
      { ...m, ...moved, precedence: 1 },
      mac,
      { ...c, ...moved, precedence: 0 },
      b,
      { ...a, ...moved, precedence: 2 },
      win,
    ]);
    expect(await listed(api)).toBe("CBA.");
    expect(await api.order("mac")).toEqual(["N", "M", standard]);
    const [entry] = await api.trail();
    expect(entry).toEqual({
      operation: "entities.policy.precedence.post.v1",
      ids: answer.body.map(({ id }) => id),
    });
    const again = await api.reorder({ platform: "win", precedence: [c.id, b.id, a.id] });
    expect(again.body).toEqual(answer.body.slice(3));
  });

  test("a platform with only its default policy has an empty order", async () => {
    const api = await suite.open();
    const answer = await api.reorder({ platform: "mac", precedence: [] });
    expect(answer.body).toEqual([await api.defaultOf("mac")]);
  });

  test("a list with missing or unknown policies changes nothing", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const [a, b, c] = await several(api, "ABC");
    if (a === undefined || b === undefined || c === undefined) throw new Error("too few");
    const mac = await api.policy("M", {}, "mac");
    const last = await api.defaultOf("win");
    const [foreign] = await several(other, "F");
    const at = "body.resources[0].precedence";
    const refused = async (precedence: readonly string[], ...expected: readonly string[]) => {
      const answer = await api.reorder<ErrorBody>({ platform: "win", precedence });
      expect(answer.status, answer.text).toBe(400);
      expect(messages(answer)).toEqual(expected);
      expect(await listed(api)).toBe("ABC.");
    };
    const rest = "list every policy of win but the default one";
    await refused([b.id, a.id], `${at}: lacks ${c.id}, C; ${rest}`);
    await refused(
      [c.id, a.id, mac.id],
      `${at}[2]: ${mac.id} is a policy of mac, not of win`,
      `${at}: lacks ${b.id}, B; ${rest}`,
    );
    await refused(
      [c.id, b.id, a.id, last.id],
      `${at}[3]: ${last.id} is the default policy, which stays last; omit it`,
    );
    await refused(
      [c.id, nothing, b.id, foreign?.id ?? "", a.id],
      `${at}[1]: there is no data protection policy ${nothing}`,
      `${at}[3]: there is no data protection policy ${foreign?.id}`,
    );
    const half = await api.reorder<ErrorBody>(
      { platform: "win", precedence: [c.id, b.id, a.id] },
      { platform: "mac", precedence: [] },
    );
    expect(messages(half)).toEqual([
      `body.resources[1].precedence: lacks ${mac.id}, M; list every policy of mac but the default one`,
    ]);
    expect(await listed(api)).toBe("ABC.");
  });

  test.each([
    ["nothing", { resources: [] }, /^body\.resources: expected/],
    [
      "no list",
      { resources: [{ platform: "win" }] },
      /^body\.resources\[0\]\.precedence: is required$/,
    ],
    [
      "a platform that there is not",
      { resources: [{ platform: "linux", precedence: [] }] },
      /platform: expected one of win, mac, got "linux"/,
    ],
    [
      "a policy twice",
      { resources: [{ platform: "win", precedence: [nothing, nothing] }] },
      /precedence: expected items that differ/,
    ],
    [
      "a malformed id",
      { resources: [{ platform: "win", precedence: ["A"] }] },
      /precedence\[0\]: expected/,
    ],
    [
      "a platform twice",
      {
        resources: [
          { platform: "win", precedence: [] },
          { platform: "win", precedence: [] },
        ],
      },
      /^body\.resources\[1\]\.platform: body\.resources\[0\] already contains the order of win; send one for each platform$/,
    ],
  ])("a request with %s", async (_, body, message) => {
    const api = await suite.open();
    const answer = await api.request<ErrorBody>("POST", "/entities/data-protection-precedence/v1", {
      body,
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(message);
  });

  test("deleting leaves no gaps", async () => {
    const api = await suite.open();
    const [, b, , d] = await several(api, "ABCDE");
    const answer = await api.removePolicies("win", d?.id ?? "", b?.id ?? "");
    expect(answer.body.map(({ precedence }) => precedence)).toEqual([3, 1]);
    expect(await listed(api)).toBe("ACE.");
    await several(api, "F");
    expect(await listed(api)).toBe("ACEF.");
  });

  test("concurrent orders, moves, creations and deletions leave an order without gaps", async () => {
    const api = await suite.open();
    const ids = (await several(api, "ABCDEFGH")).map(({ id }) => id);
    const writes = Array.from({ length: 60 }, (_, index) => {
      const id = ids[(index * 5) % 8] ?? "";
      if (index % 10 === 3) {
        return api.createPolicies("win", {
          name: `${index}`,
          description: "",
          precedence: index % 7,
        });
      }
      if (index % 20 === 7) return api.removePolicies("win", id);
      if (index % 3 === 0) return api.update("win", { id, precedence: index % 9 });
      const precedence = index % 2 === 0 ? ids : ids.toReversed();
      return api.reorder({ platform: "win", precedence });
    });
    const answers = await Promise.all(writes);
    for (const { status, text } of answers) {
      expect([200, 201, 400, 404]).toContain(status);
      if (status >= 400) expect(text).toMatch(/lacks|not found|there is no/);
    }
    const created = answers.filter(({ status }) => status === 201).length;
    const deleted = new Set([7, 27, 47].map((index) => (index * 5) % 8)).size;
    const names = await api.order();
    expect(names).toHaveLength(8 + created - deleted + 1);
    expect(names.at(-1)).toBe(standard);
  });
});
