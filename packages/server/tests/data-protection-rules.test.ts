import { expect, test } from "vitest";
import {
  dataProtectionSuite,
  inputs,
  nothing,
  type KindName,
  type Session,
} from "./support/data-protection.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

/** The messages of a rejected creation; expects 400. */
async function refused(api: Session, kind: KindName, body: object): Promise<readonly string[]> {
  const answer = await api.create<typeof kind, ErrorBody>(kind, body);
  expect(answer.status, answer.text).toBe(400);
  return messages(answer);
}

const pattern = (change: object) => ({ ...inputs["content-patterns"]("Contracts"), ...change });

withPostgresAtNight((engine) => {
  const suite = dataProtectionSuite(engine);

  test("a content pattern has all members, with defaults for absent ones", async () => {
    const api = await suite.open();
    const now = api.clock.now().toISOString();
    expect(await api.stored("content-patterns", pattern({}))).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      cid: api.tenant.cid,
      name: "Contracts",
      description: "",
      type: "custom",
      category: "Custom",
      region: "ALL",
      regexes: [String.raw`\bNW-[0-9]{8}\b`],
      min_match_threshold: 1,
      example: "",
      deleted: false,
      created: now,
      last_updated: now,
    });
  });

  test.each([
    [["a(b"], "body.regexes[0]: does not compile at offset 1"],
    [["a", "[z-a]"], "body.regexes[1]: does not compile at offset"],
    [[String.raw`(?=x)y`], "body.regexes[0]: does not compile at offset 0"],
    [[String.raw`(a)\1`], "body.regexes[0]: does not compile at offset 3"],
    [["(?:a{1,500}){1,2}"], "body.regexes[0]: is too large"],
    [["((a{100}){100}){100}"], "body.regexes[0]: is too large"],
    [[], "body.regexes"],
    [[""], "body.regexes[0]"],
    [Array.from({ length: 11 }, () => "x"), "body.regexes"],
  ])("content pattern: expressions %j are rejected", async (regexes, message) => {
    const api = await suite.open();
    const problems = await refused(api, "content-patterns", pattern({ regexes, example: "x" }));
    expect(problems.join("\n")).toContain(message);
    expect(await api.query("content-patterns", { filter: "type:'custom'" })).toMatchObject({
      body: [],
    });
  });

  test("content pattern: an expression can have the documented maximum length", async () => {
    const api = await suite.open();
    const regexes = ["x".repeat(2_049)];
    const problems = await refused(api, "content-patterns", pattern({ regexes }));
    expect(problems.join()).toContain("body.regexes[0]");
    await api.stored("content-patterns", pattern({ regexes: ["[a-z]*".repeat(100)] }));
  });

  test.each([
    [{ example: "NW-20260114" }, true],
    [{ example: "" }, true],
    [{ example: "nw-20260114" }, false],
    [{ example: "NW-2026011" }, false],
    [{ example: "NW-20260114 NW-20260115", min_match_threshold: 2 }, true],
    [{ example: "NW-20260114 NW-20260114", min_match_threshold: 2 }, true],
    [{ example: "NW-20260114 NW-20260115", min_match_threshold: 3 }, false],
    [{ example: "NW-20260114", regexes: ["NW-[0-9]+", "NW"], min_match_threshold: 2 }, true],
    [{ example: "NW-20260114", regexes: ["NW", "N(?:W)"], min_match_threshold: 2 }, false],
    [{ example: "anything", regexes: ["x*"] }, false],
    [{ example: "Straße", regexes: ["(?i)STRASSE", "(?i)STRAßE"] }, true],
  ])("content pattern: whether %j is valid: %s", async (change, sound) => {
    const api = await suite.open();
    if (sound) await api.stored("content-patterns", pattern(change));
    else {
      expect(await refused(api, "content-patterns", pattern(change))).toEqual([
        expect.stringMatching(
          /^body\.example: regexes match \d+ times; min_match_threshold requires \d+$/,
        ),
      ]);
    }
  });

  test("content pattern: expressions that match at every character do not block the server", async () => {
    const api = await suite.open();
    const regexes = Array.from({ length: 10 }, (_, at) => `(?:(x+x+)+y|a(?:.*[^a${at}])?)`);
    const change = { regexes, example: "a".repeat(4_096), min_match_threshold: 10_000 };
    // Counting all of them would take minutes.
    expect(await refused(api, "content-patterns", pattern(change))).toEqual([
      expect.stringContaining("body.regexes: matching the example takes too long"),
    ]);
    const simple = { regexes: ["a"], example: "a".repeat(4_096), min_match_threshold: 4_096 };
    await api.stored("content-patterns", pattern(simple));
  });

  test("content pattern: the result of a change must meet the same rules", async () => {
    const api = await suite.open();
    const example = "NW-20260114 replaces NW-20251203";
    const added = await api.stored(
      "content-patterns",
      pattern({ example, min_match_threshold: 2 }),
    );
    for (const change of [
      { min_match_threshold: 3 },
      { example: "nothing" },
      { regexes: ["^NW"] },
      { regexes: ["("] },
      { region: "us" },
      { category: "pii" },
    ]) {
      expect((await api.change("content-patterns", added.id, change)).status).toBe(400);
    }
    expect(await api.read("content-patterns", added.id)).toEqual(added);
    const id = "another";
    const cleared = await api.change("content-patterns", added.id, { id, example: "" });
    expect(cleared.body).toMatchObject([{ id: added.id, example: "", min_match_threshold: 2 }]);
    const raised = await api.change("content-patterns", added.id, { min_match_threshold: 10_000 });
    expect(raised.status).toBe(200);
  });

  test.each([
    [[{ fqdn: "a..example.com", path: "" }], "body.urls[0].fqdn"],
    [[{ fqdn: "*.", path: "" }], "body.urls[0].fqdn"],
    [[{ fqdn: "a.*.example.com", path: "" }], "body.urls[0].fqdn"],
    [[{ fqdn: "https://example.com", path: "" }], "body.urls[0].fqdn"],
    [[{ fqdn: "-a.example.com", path: "" }], "body.urls[0].fqdn"],
    [[{ fqdn: `${"a".repeat(64)}.example.com`, path: "" }], "body.urls[0].fqdn"],
    [[{ fqdn: "example.com", path: "drafts" }], "body.urls[0].path"],
    [[{ fqdn: "example.com", path: "/a b" }], "body.urls[0].path"],
    [[{ fqdn: "example.com", path: "/a?b" }], "body.urls[0].path"],
    [
      [
        { fqdn: "example.com", path: "/a" },
        { fqdn: "EXAMPLE.com", path: "/a" },
      ],
      "body.urls[1]: is already the URL of body.urls[0]",
    ],
    [[], "body.urls"],
    [[{ fqdn: "example.com" }], "path"],
  ])("cloud application: addresses %j are rejected", async (urls, message) => {
    const api = await suite.open();
    const problems = await refused(api, "cloud-applications", { name: "Portal", urls });
    expect(problems.join("\n")).toContain(message);
    const added = await api.stored("cloud-applications", inputs["cloud-applications"]("Portal"));
    expect((await api.change("cloud-applications", added.id, { urls })).status).toBe(400);
  });

  test("cloud application: the same host with other paths is valid, and names need not be unique", async () => {
    const api = await suite.open();
    const urls = [
      { fqdn: "example.com", path: "/a" },
      { fqdn: "example.com", path: "/A" },
      { fqdn: "*.example.com", path: "" },
    ];
    const added = await api.stored("cloud-applications", { name: "Google Drive", urls });
    expect(added).toMatchObject({ urls, app_tier: "custom", description: "" });
    expect(added).not.toHaveProperty("app_group_id");
    const filter = "type:['custom','integrated']+name:'google drive'+deleted:false";
    const { body } = await api.query("cloud-applications", { filter, sort: "type" });
    const tiers = (await api.get("cloud-applications", ...body)).body;
    expect(tiers.map(({ app_tier }) => app_tier)).toEqual(["custom", "integrated"]);
  });

  test.each([
    [{ application_group_id: "dropbox" }, "body.application_group_id"],
    [{ domains: [] }, "body.domains"],
    [{ domains: ["a b"] }, "body.domains[0]"],
    [{ domains: ["example.com", "a..b"] }, "body.domains[1]: expected a domain"],
    [{ domains: ["example.com", "example.com"] }, "body.domains"],
  ])("enterprise account: %j is rejected", async (change, message) => {
    const api = await suite.open();
    const body = { ...inputs["enterprise-accounts"]("Workspace"), ...change };
    expect((await refused(api, "enterprise-accounts", body)).join("\n")).toContain(message);
  });

  test("labels: required members of a synced label", async () => {
    const api = await suite.open();
    const plugin = "98b0d2f4e6a84c1ab3d5f7092b4c6e81";
    const account = await api.stored("enterprise-accounts", {
      ...inputs["enterprise-accounts"]("Northwind 365"),
      application_group_id: "microsoft",
      plugin_config_id: plugin,
    });
    const label = {
      name: "9c0f6b1d",
      display_name: "Confidential",
      label_provider: "microsoft",
      external_id: "9c0f6b1d",
      plugins_configuration_id: plugin,
      synced: true,
    };
    const named = await api.stored("labels", {
      ...label,
      name: "Confidential",
      plugins_configuration_id: "another",
    });
    expect(named).toMatchObject({ name: "Confidential", external_id: "9c0f6b1d" });
    const { external_id: _id, plugins_configuration_id: _plugin, ...bare } = label;
    expect(await refused(api, "labels", bare)).toEqual([
      expect.stringContaining("body.external_id"),
      expect.stringContaining("body.plugins_configuration_id"),
    ]);
    expect(await refused(api, "labels", { ...label, synced: false })).toEqual([
      expect.stringContaining("body.plugins_configuration_id"),
    ]);
    const unknown = await api.stored("labels", { ...label, plugins_configuration_id: nothing });
    expect(unknown).toMatchObject({ plugins_configuration_id: nothing });

    const added = await api.stored("labels", label);
    expect(added).toMatchObject({ ...label, co_authoring: false, deleted: false });
    for (const change of [{ plugin_config_id: nothing }, { application_group_id: "google" }]) {
      const kept = await api.change<"enterprise-accounts", ErrorBody>(
        "enterprise-accounts",
        account.id,
        change,
      );
      expect(kept.status).toBe(409);
      expect(messages(kept)).toEqual([expect.stringContaining(`${added.id}, 9c0f6b1d`)]);
    }
    expect((await api.change("enterprise-accounts", account.id, { name: "Else" })).status).toBe(
      200,
    );
    const inUse = await api.remove<"enterprise-accounts", ErrorBody>(
      "enterprise-accounts",
      account.id,
    );
    expect(inUse.status).toBe(409);
    expect(inUse.body.errors).toMatchObject([{ code: 409, id: account.id }]);

    expect((await api.remove("labels", added.id)).status).toBe(200);
    expect((await api.remove("enterprise-accounts", account.id)).status).toBe(200);
    expect((await api.request("PATCH", "/entities/labels/v2", { body: {} })).status).toBe(405);
  });

  test("labels: no member is unique, and the internal field cannot be filtered by", async () => {
    const api = await suite.open();
    await api.stored("labels", inputs.labels("Public"));
    await api.stored("labels", { ...inputs.labels("Public"), external_id: "else" });
    const labels = await api.query("labels", { filter: "synced:false+display_name:'public'" });
    expect(labels.body).toHaveLength(2);
    const internal = await api.query("labels", { filter: "plugins_configuration_id:'x'" });
    expect(internal.status).toBe(400);
  });
});
