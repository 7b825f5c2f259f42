import { describe, expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { exclusion, exclusionSuite, hex, paths, type Exclusion } from "./support/ioa-exclusions.ts";
import { type ErrorBody, messages } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = exclusionSuite(engine);

  describe("version 2", () => {
    test("stores the request, with names of known patterns", async () => {
      const { create, get, clientId, clock, newGroup } = await suite.open();
      const group = await newGroup(hex("7"));
      const answer = await create(
        {
          name: "Nightly backup",
          description: "Snapshots",
          comment: "Proposed from a detection",
          pattern_id: "41005",
          pattern_name: "not its name",
          ifn_regex: String.raw`.*\\harbour-backup\.exe`,
          cl_regex: String.raw`.*--snapshot \d+`,
          parent_ifn_regex: String.raw`.*\\services\.exe`,
          detection_json: '{"id":1}',
          host_groups: [group],
        },
        exclusion("Everywhere", { host_groups: ["all"], description: "", comment: "" }),
        exclusion("Nowhere yet", { pattern_id: "99999", pattern_name: "My own" }),
        exclusion("Unnamed", { pattern_id: "99999", ifn_regex: ".*other" }),
      );
      expect(answer.status, answer.text).toBe(201);
      const written = clock.now().toISOString();
      const common = {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        created_on: written,
        created_by: clientId,
        last_modified: written,
        modified_by: clientId,
      };
      expect(answer.body).toEqual([
        {
          ...common,
          name: "Nightly backup",
          description: "Snapshots",
          comment: "Proposed from a detection",
          pattern_id: "41005",
          pattern_name: "Shadow copies touched by an unusual program",
          ifn_regex: String.raw`.*\\harbour-backup\.exe`,
          cl_regex: String.raw`.*--snapshot \d+`,
          parent_ifn_regex: String.raw`.*\\services\.exe`,
          detection_json: '{"id":1}',
          host_groups: [group],
          applied_globally: false,
        },
        {
          ...common,
          ...exclusion("Everywhere", { host_groups: [], applied_globally: true }),
          pattern_name: "Shadow copies touched by an unusual program",
        },
        {
          ...common,
          ...exclusion("Nowhere yet", { pattern_id: "99999", pattern_name: "My own" }),
          host_groups: [],
          applied_globally: false,
        },
        {
          ...common,
          ...exclusion("Unnamed", { pattern_id: "99999", ifn_regex: ".*other" }),
          pattern_name: "99999",
          host_groups: [],
          applied_globally: false,
        },
      ]);
      const ids = answer.body.map(({ id }) => id);
      const again = await get(...ids.toReversed(), ids[0] ?? "");
      expect(again.body).toEqual(answer.body.toReversed());
    });

    test("is all or none, with one error per bad item at its place", async () => {
      const { create, request } = await suite.open();
      const answer = await create<ErrorBody>(
        exclusion("good"),
        exclusion("bad", { cl_regex: "(a" }),
        exclusion("anchored", { parent_cl_regex: "^x" }),
        exclusion("broad", { ifn_regex: ".+|.*" }),
        exclusion("good too", { host_groups: [hex("9")] }),
      );
      expect(answer.status).toBe(400);
      expect(messages(answer)).toEqual([
        "body.exclusions[1].cl_regex: does not compile at offset 0: missing closing )",
        expect.stringMatching(/^body\.exclusions\[2\]\.parent_cl_regex: has the assertion \^ at/),
      ]);
      const later = await create<ErrorBody>(
        exclusion("good"),
        exclusion("broad", { ifn_regex: ".+|.*" }),
        exclusion("good too", { host_groups: [hex("8"), hex("9")] }),
      );
      expect(later.status).toBe(400);
      expect(messages(later)).toEqual([
        expect.stringMatching(/^body\.exclusions\[1\]: .*both match anything/),
        `body.exclusions[2].host_groups[0]: there is no host group ${hex("8")}`,
        `body.exclusions[2].host_groups[1]: there is no host group ${hex("9")}`,
      ]);
      expect((await request("GET", paths.search)).body).toEqual([]);
    });

    test.each([
      ["two that match anything", { ifn_regex: ".*", cl_regex: ".*" }, /both match anything/],
      ["two other spellings", { ifn_regex: "(.*)", cl_regex: "[\\s\\S]*" }, /both match anything/],
      [
        "two that a parent does not mend",
        { ifn_regex: ".*.*", cl_regex: ".+|.*", parent_ifn_regex: "x" },
        /both match anything/,
      ],
      ["a huge program", { cl_regex: "(.{1,200}){1,200}" }, /cl_regex: is too large/],
      ["a catastrophic end", { cl_regex: "(a+)+$" }, /cl_regex: has the assertion \$ at offset 5/],
      ["257 characters", { cl_regex: "a".repeat(257) }, /cl_regex: .*256/],
      ["no expression", { cl_regex: undefined }, /cl_regex: is required/],
      ["an empty expression", { cl_regex: "" }, /cl_regex: /],
      ["an empty name", { name: "" }, /name: /],
      ["no name", { name: undefined }, /name: is required/],
      ["letters for a pattern", { pattern_id: "abc" }, /pattern_id: /],
      ["an empty pattern", { pattern_id: "" }, /pattern_id: /],
      ["all among others", { host_groups: ["all", hex("1")] }, /host_groups: all stands for every/],
      ["a group twice", { host_groups: [hex("1"), hex("1")] }, /host_groups: /],
      ["a malformed group", { host_groups: ["ABC"] }, /host_groups\[0\]: /],
      ["a member of version 1", { groups: ["all"] }, /groups: .*unknown/i],
      ["a lookahead", { ifn_regex: "(?=a)b" }, /ifn_regex: does not compile at offset 0/],
    ])("rejects %s", async (_, more, message) => {
      const { create } = await suite.open();
      const answer = await create<ErrorBody>(exclusion("tool", more));
      expect(answer.status, answer.text).toBe(400);
      expect(messages(answer)).toEqual([expect.stringMatching(message)]);
      expect(messages(answer)[0]).toMatch(/^body\.exclusions\[0\]/);
    });

    test("accepts 256 characters, escaped assertions, and expressions that make other engines backtrack", async () => {
      const { stored } = await suite.open();
      await stored(
        exclusion("long", { cl_regex: "a".repeat(256) }),
        exclusion("escaped", { cl_regex: String.raw`\^a\$[$^]` }),
        exclusion("nested", { cl_regex: "(a+)+" }),
        exclusion("only the command line", { ifn_regex: ".*", cl_regex: "x" }),
      );
    });

    test("rejects an exclusion that exists already, and names it", async () => {
      const { create, stored, newGroup } = await suite.open();
      const group = await newGroup(hex("7"));
      const other = await newGroup(hex("8"));
      const [first] = await stored(exclusion("tool", { host_groups: [group, other] }));
      const again = await create<ErrorBody>(
        exclusion("tool", { host_groups: [other, group], description: "else" }),
      );
      expect(again.status).toBe(409);
      expect(again.body.errors).toEqual([
        { code: 409, id: first?.id, message: expect.stringContaining(`exclusion ${first?.id}`) },
      ]);
      const twice = await create<ErrorBody>(
        exclusion("x"),
        exclusion("x", { description: "the same" }),
        exclusion("x", { host_groups: ["all"] }),
      );
      expect(twice.status).toBe(409);
      expect(messages(twice)).toEqual([
        expect.stringMatching(
          /^body\.exclusions\[1\]: has the same pattern, .* body\.exclusions\[0\]/,
        ),
      ]);
      await stored(
        exclusion("tool", { host_groups: [group] }),
        exclusion("tool", { host_groups: ["all"] }),
        exclusion("tool", { pattern_id: "1" }),
        exclusion("tool", { parent_cl_regex: "x" }),
      );
    });

    test("does not know another tenant's host groups and exclusions", async () => {
      const one = await suite.open();
      const two = await suite.open(one.tenant);
      const group = await one.newGroup(hex("7"));
      const refused = await two.create<ErrorBody>(exclusion("tool", { host_groups: [group] }));
      expect(refused.status).toBe(400);
      const [created] = await one.stored(exclusion("tool", { host_groups: [group] }));
      const unseen = await two.get<ErrorBody>(created?.id ?? "");
      expect(unseen.status).toBe(404);
      expect((await two.getV1<ErrorBody>(created?.id ?? "")).status).toBe(404);
      expect((await two.request("GET", paths.search)).body).toEqual([]);
      const changed = await two.update<ErrorBody>({ id: created?.id, name: "mine" });
      expect(changed.status).toBe(404);
      await two.stored(exclusion("tool"));
    });

    test("adds comments to the audit trail, each with its exclusions", async () => {
      const { stored, trail } = await suite.open();
      const created = await stored(
        exclusion("a", { comment: "first" }),
        exclusion("b"),
        exclusion("c", { comment: "first" }),
      );
      const [a, b, c] = created.map(({ id }) => id);
      expect(await trail()).toEqual([
        { operation: "ss-ioa-exclusions.create.v2", comment: null, ids: [b] },
        { operation: "ss-ioa-exclusions.create.v2", comment: "first", ids: [a, c] },
      ]);
    });
  });

  describe("version 1", () => {
    const sound = {
      name: "Inventory",
      pattern_id: "5702",
      pattern_name: "Given",
      ifn_regex: String.raw`.*\\agent\.exe`,
      cl_regex: ".*--inventory",
    };

    test("creates one, which both versions show in their own format", async () => {
      const { createV1, get, getV1, clientId, clock, newGroup, trail } = await suite.open();
      const group = await newGroup(hex("7"));
      const answer = await createV1({ ...sound, groups: [group], comment: "why" });
      expect(answer.status, answer.text).toBe(201);
      const written = clock.now().toISOString();
      const common = {
        ...sound,
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        pattern_name: "Enumeration of installed software",
        applied_globally: false,
        created_on: written,
        created_by: clientId,
        last_modified: written,
        modified_by: clientId,
      };
      const [created] = answer.body;
      expect(answer.body).toEqual([
        {
          ...common,
          description: "",
          detection_json: "",
          groups: [
            expect.objectContaining({
              id: group,
              name: `group ${group}`,
              group_type: "staticByID",
            }),
          ],
        },
      ]);
      expect((await getV1(created?.id ?? "")).body).toEqual(answer.body);
      expect((await get(created?.id ?? "")).body).toEqual([
        { ...common, comment: "why", host_groups: [group] },
      ]);
      expect(await trail()).toEqual([
        { operation: "createIOAExclusionsV1", comment: "why", ids: [created?.id] },
      ]);
    });

    test("has no groups and is applied globally for all hosts", async () => {
      const { createV1 } = await suite.open();
      const everywhere = await createV1({ ...sound, groups: ["all"] });
      expect(everywhere.body).toMatchObject([{ applied_globally: true, groups: [] }]);
      const nowhere = await createV1(sound);
      expect(nowhere.body).toMatchObject([{ applied_globally: false, groups: [] }]);
    });

    test("shows an exclusion of version 2 without unsupported members", async () => {
      const { stored, getV1, get } = await suite.open();
      const [created] = await stored(
        exclusion("tool", { pattern_id: "77", parent_cl_regex: "x", host_groups: ["all"] }),
      );
      const id = created?.id ?? "";
      const shown = await getV1(id);
      expect(shown.body[0]).toMatchObject({ id, pattern_name: "77", groups: [] });
      expect(Object.keys(shown.body[0] ?? {})).not.toContain("parent_cl_regex");
      const missing = await getV1<ErrorBody>(hex("0"), id);
      expect(missing.status).toBe(404);
      expect(missing.body.errors).toEqual([
        { code: 404, id: hex("0"), message: `IOA exclusion ${hex("0")} not found` },
      ]);
      expect(missing.body.resources).toEqual(shown.body);
      const missing2 = await get<ErrorBody>(id, hex("0"));
      expect(missing2.status).toBe(404);
      expect(missing2.body.resources as readonly Exclusion[]).toEqual([created]);
    });

    test.each([
      ["both expressions that match anything", { ifn_regex: ".*", cl_regex: ".*" }, /^body: /],
      ["an expression that does not compile", { cl_regex: "a**" }, /^body\.cl_regex: .* offset 1/],
      ["an assertion", { cl_regex: "a\\b" }, /^body\.cl_regex: .*\\b at offset 1/],
      ["all among others", { groups: [hex("1"), "all"] }, /^body\.groups: all/],
      [
        "a group that is not there",
        { groups: [hex("1")] },
        /^body\.groups\[0\]: there is no host group/,
      ],
      ["a parent's expression", { parent_cl_regex: "x" }, /^body\.parent_cl_regex: /],
    ])("rejects %s", async (_, more, message) => {
      const { createV1 } = await suite.open();
      const answer = await createV1<ErrorBody>({ ...sound, ...more });
      expect(answer.status, answer.text).toBe(400);
      expect(messages(answer)).toEqual([expect.stringMatching(message)]);
    });

    test("rejects an exclusion that version 2 has created", async () => {
      const { createV1, stored } = await suite.open();
      const { pattern_name: _, ...same } = sound;
      const [created] = await stored({ ...same, name: "other name" });
      const again = await createV1<ErrorBody>(sound);
      expect(again.status).toBe(409);
      expect(again.body.errors[0]?.id).toBe(created?.id);
    });
  });
});
