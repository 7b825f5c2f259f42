import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import {
  exclusion,
  exclusionSuite,
  hex,
  paths,
  processLines,
  type Exclusion,
} from "./support/ioa-exclusions.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const full = {
  description: "what for",
  comment: "why",
  parent_ifn_regex: ".*parent",
  parent_cl_regex: "p",
  grandparent_ifn_regex: ".*grandparent",
  grandparent_cl_regex: "g",
  detection_json: "{}",
};

withPostgresAtNight((engine) => {
  const suite = exclusionSuite(engine);

  describe("version 2 changes", () => {
    test("only the listed members", async () => {
      const { stored, update, get, clock, clientId } = await suite.open();
      const [created] = await stored(exclusion("tool", full));
      clock.advance(60_000);
      const answer = await update({ id: created?.id, cl_regex: "x+" });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toEqual([
        {
          ...created,
          cl_regex: "x+",
          last_modified: clock.now().toISOString(),
          modified_by: clientId,
        },
      ]);
      expect((await get(created?.id ?? "")).body).toEqual(answer.body);
    });

    test.each([
      ["null", null],
      ["the empty text", ""],
    ])("%s and clears an optional member", async (_, cleared) => {
      const { stored, update } = await suite.open();
      const [created] = await stored(exclusion("tool", full));
      const changes = Object.fromEntries(Object.keys(full).map((name) => [name, cleared]));
      const answer = await update({ id: created?.id, ...changes });
      expect(answer.status, answer.text).toBe(200);
      const { name, pattern_id, ifn_regex, cl_regex, ...rest } = answer.body[0] as Exclusion;
      expect({ name, pattern_id, ifn_regex, cl_regex }).toEqual(exclusion("tool"));
      expect(Object.keys(rest)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/parent|description|comment|detection/)]),
      );
      const required = await update<ErrorBody>({ id: created?.id, cl_regex: cleared });
      expect(required.status).toBe(400);
    });

    test("the host groups as requested: all, some, none", async () => {
      const { stored, update, newGroup } = await suite.open();
      const group = await newGroup(hex("7"));
      const [created] = await stored(exclusion("tool", { host_groups: [group] }));
      const id = created?.id;
      const hostsAfter = async (host_groups: readonly string[]) =>
        (await update({ id, host_groups })).body[0];
      expect(await hostsAfter(["all"])).toMatchObject({ host_groups: [], applied_globally: true });
      expect((await update({ id, name: "x" })).body[0]).toMatchObject({ applied_globally: true });
      expect(await hostsAfter([])).toMatchObject({ host_groups: [], applied_globally: false });
      expect(await hostsAfter([group])).toMatchObject({
        host_groups: [group],
        applied_globally: false,
      });
      const unknown = await update<ErrorBody>({ id, host_groups: [group, hex("6")] });
      expect(messages(unknown)).toEqual([
        `body.exclusions[0].host_groups[1]: there is no host group ${hex("6")}`,
      ]);
    });

    test("the name of a pattern together with the pattern", async () => {
      const { stored, update } = await suite.open();
      const [created] = await stored(exclusion("tool"));
      const id = created?.id;
      const nameAfter = async (changes: object) =>
        (await update({ id, ...changes })).body[0]?.pattern_name;
      expect(await nameAfter({ pattern_name: "mine" })).toBe(created?.pattern_name);
      expect(await nameAfter({ pattern_id: "77" })).toBe("77");
      expect(await nameAfter({ pattern_name: "mine" })).toBe("mine");
      expect(await nameAfter({ name: "else" })).toBe("mine");
      expect(await nameAfter({ pattern_id: "78", pattern_name: "next" })).toBe("next");
      expect(await nameAfter({ pattern_id: "5702" })).toBe("Enumeration of installed software");
    });

    test("all or none, with one error for each bad item", async () => {
      const { stored, update, get } = await suite.open();
      const created = await stored(exclusion("a"), exclusion("b"), exclusion("c"));
      const [a, b, c] = created.map(({ id }) => id);
      const bad = await update<ErrorBody>(
        { id: a, name: "changed" },
        { id: b, ifn_regex: "*" },
        { id: c, cl_regex: "\\Ax" },
      );
      expect(bad.status).toBe(400);
      expect(messages(bad)).toEqual([
        expect.stringMatching(/^body\.exclusions\[1\]\.ifn_regex: does not compile at offset 0/),
        expect.stringMatching(
          /^body\.exclusions\[2\]\.cl_regex: has the assertion \\A at offset 0/,
        ),
      ]);
      const broad = await update<ErrorBody>({ id: a, name: "x" }, { id: b, ifn_regex: ".+" });
      expect(broad.status).toBe(400);
      expect(messages(broad)[0]).toMatch(/^body\.exclusions\[1\]: /);
      const missing = await update<ErrorBody>({ id: a, name: "x" }, { id: hex("0"), name: "x" });
      expect(missing.status).toBe(404);
      expect(missing.body.errors).toEqual([
        { code: 404, id: hex("0"), message: `IOA exclusion ${hex("0")} not found` },
      ]);
      const twice = await update<ErrorBody>({ id: a, name: "x" }, { id: a, name: "y" });
      expect(twice.status).toBe(400);
      expect(messages(twice)[0]).toMatch(/^body\.exclusions\[1\]\.id: .* body\.exclusions\[0\]/);
      const alike = await update<ErrorBody>(
        { id: a, name: "x" },
        { id: b, ifn_regex: created[2]?.ifn_regex },
      );
      expect(alike.status).toBe(409);
      expect(alike.body.errors[0]).toMatchObject({ id: c });
      expect((await get(a ?? "", b ?? "", c ?? "")).body).toEqual(created);
    });

    test("and adds comments to the audit trail and the record", async () => {
      const { stored, update, trail } = await suite.open();
      const [a, b] = await stored(exclusion("a", { comment: "old" }), exclusion("b"));
      const answer = await update(
        { id: a?.id, description: "x" },
        { id: b?.id, comment: "because" },
      );
      expect(answer.body.map(({ comment }) => comment)).toEqual(["old", "because"]);
      expect((await trail()).slice(0, 2)).toEqual([
        { operation: "ss-ioa-exclusions.update.v2", comment: "because", ids: [b?.id] },
        { operation: "ss-ioa-exclusions.update.v2", comment: null, ids: [a?.id] },
      ]);
    });
  });

  describe("version 1 changes", () => {
    test("its own members, and keeps members of version 2", async () => {
      const { stored, updateV1, get, newGroup, trail } = await suite.open();
      const group = await newGroup(hex("7"));
      const [created] = await stored(
        exclusion("tool", { comment: "old", description: "d", host_groups: [group] }),
      );
      const id = created?.id ?? "";
      const answer = await updateV1({ id, cl_regex: "y" });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject([{ id, cl_regex: "y", groups: [{ id: group }] }]);
      expect((await get(id)).body).toEqual([{ ...created, cl_regex: "y" }]);
      const cleared = await updateV1({ id, description: "", groups: ["all"], comment: "new" });
      expect(cleared.body).toMatchObject([{ description: "", groups: [], applied_globally: true }]);
      const { description: _, ...rest } = created as Exclusion;
      expect((await get(id)).body).toEqual([
        { ...rest, cl_regex: "y", comment: "new", host_groups: [], applied_globally: true },
      ]);
      expect((await trail())[0]).toEqual({
        operation: "updateIOAExclusionsV1",
        comment: "new",
        ids: [id],
      });
    });

    test.each([
      "parent_ifn_regex",
      "parent_cl_regex",
      "grandparent_ifn_regex",
      "grandparent_cl_regex",
    ])("nothing of an exclusion with %s, which is read-only", async (name) => {
      const { stored, updateV1, request, get } = await suite.open();
      const created = await stored(exclusion("tool", { [name]: "x" }), exclusion("other"));
      const [id = "", other = ""] = created.map((each) => each.id);
      for (const refused of [
        await updateV1<ErrorBody>({ id, name: "y" }),
        await request<ErrorBody>("DELETE", paths.exclusionsV1, { query: { ids: [other, id] } }),
      ]) {
        expect(refused.status).toBe(403);
        expect(refused.body.errors).toEqual([
          { code: 403, id, message: expect.stringContaining("version 2") },
        ]);
      }
      expect((await get(id, other)).body).toEqual(created);
    });

    test("only within the same rules", async () => {
      const { stored, updateV1 } = await suite.open();
      const [a, b] = await stored(exclusion("a"), exclusion("b"));
      const id = a?.id;
      expect((await updateV1<ErrorBody>({ id: hex("0"), name: "x" })).status).toBe(404);
      expect((await updateV1<ErrorBody>({ name: "x" })).status).toBe(400);
      expect((await updateV1<ErrorBody>({ id: "ABC", name: "x" })).status).toBe(400);
      expect((await updateV1<ErrorBody>({ id, ifn_regex: ".+" })).status).toBe(400);
      expect((await updateV1<ErrorBody>({ id, groups: [hex("1")] })).status).toBe(400);
      expect((await updateV1<ErrorBody>({ id, ifn_regex: b?.ifn_regex })).status).toBe(409);
    });
  });

  describe("deletion", () => {
    test("returns ids in version 1 and records in version 2, and is permanent", async () => {
      const { stored, request, get, trail, create } = await suite.open();
      const created = await stored(
        exclusion("a"),
        exclusion("b"),
        exclusion("c", { parent_cl_regex: "x" }),
      );
      const [a = "", b = "", c = ""] = created.map(({ id }) => id);
      const one = await request("DELETE", paths.exclusionsV1, {
        query: { ids: [a, a], comment: "gone" },
      });
      expect(one.status, one.text).toBe(200);
      expect(one.body).toEqual([a]);
      const two = await request("DELETE", paths.exclusions, { query: { ids: [c, b] } });
      expect(two.body).toEqual([created[2], created[1]]);
      expect((await get<ErrorBody>(a, b, c)).body.errors).toHaveLength(3);
      expect((await trail()).slice(0, 2)).toEqual([
        { operation: "ss-ioa-exclusions.delete.v2", comment: null, ids: [c, b] },
        { operation: "deleteIOAExclusionsV1", comment: "gone", ids: [a] },
      ]);
      expect((await create(exclusion("a"))).status).toBe(201);
    });

    test("is all or none", async () => {
      const { stored, request, get } = await suite.open();
      const [created] = await stored(exclusion("a"));
      const id = created?.id ?? "";
      for (const path of [paths.exclusions, paths.exclusionsV1]) {
        const missing = await request<ErrorBody>("DELETE", path, {
          query: { ids: [id, hex("0"), hex("1")] },
        });
        expect(missing.status).toBe(404);
        expect(missing.body.errors.map((error) => error.id)).toEqual([hex("0"), hex("1")]);
        for (const query of ["", "ids=ABC", `ids=${id}&comment=${"x".repeat(1_025)}`]) {
          const bad = await request("DELETE", path, { query });
          expect(bad.status).toBe(400);
        }
      }
      expect((await get(id)).status).toBe(200);
      const other = await suite.open();
      const foreign = await other.request("DELETE", paths.exclusions, { query: { ids: [id] } });
      expect(foreign.status).toBe(404);
      expect((await get(id)).status).toBe(200);
    });
  });

  test("and matching are not allowed with a read-only token", async () => {
    const session = await suite.open();
    const api = suite.api();
    const { createClient } = await import("../src/access/clients.ts");
    const reader = await createClient(api.store.directory, api.clock, {
      cid: session.tenant.cid,
      name: "reader",
      scopes: ["ioa-exclusions:read"],
    });
    const token = await api.newToken(reader);
    const [created] = await session.stored(exclusion("a"));
    const id = created?.id ?? "";
    const body = { exclusions: [exclusion("b")] };
    const refused = await Promise.all([
      api.request("POST", paths.exclusions, { token, body }),
      api.request("PATCH", paths.exclusions, { token, body: { exclusions: [{ id, name: "x" }] } }),
      api.request("DELETE", paths.exclusions, { token, query: { ids: [id] } }),
      api.request("DELETE", paths.exclusionsV1, { token, query: { ids: [id] } }),
      api.request("POST", paths.matched, { token, body: processLines("x") }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    const read = await api.request("GET", paths.exclusions, { token, query: { ids: [id] } });
    expect(read.body).toEqual([created]);
  });
});
