import { expect, test } from "vitest";
import { nothing } from "./support/data-protection.ts";
import { policySuite, type GivenProperties } from "./support/data-protection-policies.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const place = "body.resources[0].policy_properties";

withPostgresAtNight((engine) => {
  const suite = policySuite(engine);

  test("a change keeps absent members", async () => {
    const api = await suite.open();
    const { id: classification } = await api.classified({ name: "C" });
    const group = await api.hostGroup("Finance");
    const before = await api.policy("A", {
      description: "Why",
      policy_properties: {
        classifications: [classification],
        similarity_detection: true,
        similarity_threshold: "70",
        be_exclude_domains: "*://*.example.com/*",
        be_splash_message_source: "custom",
        be_splash_custom_message: "Wait a moment.",
      },
    });
    api.clock.advance(60_000);
    const enabled = await api.updated(before, { is_enabled: true, host_groups: [group] });
    expect(enabled).toEqual({
      ...before,
      is_enabled: true,
      host_groups: [group],
      modified_at: api.clock.now().toISOString(),
    });
    const kept = await api.updated(before, {
      description: "",
      host_groups: null,
      precedence: null,
      policy_properties: { classifications: null, besplash_message_source: "default" },
    });
    expect(kept).toEqual({
      ...enabled,
      description: "",
      policy_properties: { ...before.policy_properties, be_splash_message_source: "default" },
    });
    const cleared = await api.updated(before, {
      host_groups: [],
      policy_properties: { classifications: [], be_exclude_domains: "" },
    });
    expect(cleared).toMatchObject({
      name: "A",
      is_enabled: true,
      host_groups: [],
      policy_properties: {
        classifications: [],
        be_exclude_domains: "",
        similarity_threshold: "70",
        be_splash_custom_message: "Wait a moment.",
      },
    });
    expect((await api.getPolicies(before.id)).body).toEqual([cleared]);
    const [entry] = await api.trail();
    expect(entry).toEqual({ operation: "entities.policy.patch.v2", ids: [before.id] });
  });

  test("the result of a change must meet the rules of a new policy", async () => {
    const api = await suite.open();
    const policy = await api.policy("A", {
      policy_properties: { similarity_detection: true, similarity_threshold: "70" },
    });
    const cases: readonly (readonly [GivenProperties, string])[] = [
      [
        { similarity_detection: false },
        'similarity_detection: must stay true while similarity_threshold differs from "80"; set similarity_threshold back as well',
      ],
      [
        { max_file_size_to_inspect_unit: "KB" },
        "max_file_size_to_inspect_unit: expected 512 to 524288000 bytes, got 104857600 KB",
      ],
      [{ enable_ocr: true }, "enable_ocr: enable_ocr is not a field of Data Protection win policy"],
    ];
    for (const [policy_properties, message] of cases) {
      const answer = await api.update<ErrorBody>("win", { id: policy.id, policy_properties });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([
        { code: 400, id: policy.id, message: `${place}.${message}` },
      ]);
    }
    expect((await api.getPolicies(policy.id)).body).toEqual([policy]);
  });

  test("rules capture the screen only if the policy allows it", async () => {
    const api = await suite.open();
    const { id } = await api.classified({
      name: "Recording",
      classification_properties: {
        evidence_duplication_enabled: true,
        rules: [{ enable_screen_capture_rule: true }],
      },
    });
    const allowed = { evidence_download_enabled: true, enable_screen_capture: true };
    const policy_properties = { classifications: [id] };
    const refused = await api.createPolicies<ErrorBody>("win", {
      name: "A",
      description: "",
      policy_properties,
    });
    expect(refused.status).toBe(409);
    const recording = `rules of the classification ${id}, Recording, record the screen`;
    expect(messages(refused)).toEqual([
      `${place}.classifications: ${recording}; enable_screen_capture has to be true for that`,
    ]);
    const onMac = await api.createPolicies<ErrorBody>("mac", {
      name: "A",
      description: "",
      policy_properties,
    });
    expect(onMac.status).toBe(409);
    expect(messages(onMac)).toEqual([
      `${place}.classifications: ${recording}, which no data protection policy of mac allows`,
    ]);
    const policy = await api.policy("A", {
      policy_properties: { ...policy_properties, ...allowed },
    });
    const forbid = { enable_screen_capture: false };
    const forbidden = await api.update<ErrorBody>("win", {
      id: policy.id,
      policy_properties: forbid,
    });
    expect(forbidden.status).toBe(409);
    expect(messages(forbidden)).toEqual([
      `${place}.enable_screen_capture: ${recording}; enable_screen_capture has to be true for that`,
    ]);
    await api.updated(policy, { policy_properties: { ...forbid, classifications: [] } });
  });

  test("some members of a default policy can change, others cannot", async () => {
    const api = await suite.open();
    const group = await api.hostGroup("Finance");
    await api.policy("A");
    const standard = await api.defaultOf("win");
    const cases: readonly (readonly [object, string])[] = [
      [
        { name: "Mine" },
        "name: the default policy of win keeps the name Default policy; omit the name",
      ],
      [{ is_enabled: false }, "is_enabled: the default policy of win is always enabled"],
      [{ precedence: 0 }, "precedence: the default policy of win comes last; omit precedence"],
      [{ host_groups: [group] }, "host_groups: the default policy of win has no host groups"],
    ];
    for (const [change, message] of cases) {
      const answer = await api.update<ErrorBody>("win", { id: standard.id, ...change });
      expect(answer.status).toBe(409);
      expect(answer.body.errors).toEqual([
        { code: 409, id: standard.id, message: `body.resources[0].${message}` },
      ]);
    }
    api.clock.advance(1_000);
    const changed = await api.updated(standard, {
      name: standard.name,
      description: "Ours",
      is_enabled: true,
      precedence: standard.precedence,
      host_groups: [],
      policy_properties: { enable_clipboard_inspection: true },
    });
    expect(changed).toMatchObject({
      description: "Ours",
      modified_by: api.clientId,
      policy_properties: { enable_clipboard_inspection: true },
    });
  });

  test("changes to an unknown policy, of another platform or tenant, and twice to one are rejected", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const foreign = await other.policy("F");
    const win = await api.policy("W");
    const mac = await api.policy("M", {}, "mac");
    const missing = await api.update<ErrorBody>(
      "win",
      { id: win.id, name: "X" },
      { id: foreign.id, name: "X" },
      { id: nothing, name: "X" },
    );
    expect(missing.status).toBe(404);
    expect(messages(missing)).toEqual([
      `data protection policy ${foreign.id} not found`,
      `data protection policy ${nothing} not found`,
    ]);
    const elsewhere = await api.update<ErrorBody>("win", { id: win.id }, { id: mac.id });
    expect(elsewhere.status).toBe(404);
    expect(messages(elsewhere)).toEqual([`data protection policy of win ${mac.id} not found`]);
    const twice = await api.update<ErrorBody>("win", { id: win.id }, { id: win.id });
    expect(twice.status).toBe(400);
    expect(messages(twice)).toEqual([
      "body.resources[1].id: is the data protection policy of body.resources[0] already; send its changes together",
    ]);
    const answer = await api.getPolicies<ErrorBody>(nothing, win.id, foreign.id);
    expect(answer.status).toBe(404);
    expect(answer.body.resources).toEqual([win]);
    expect(messages(answer)).toEqual([
      `data protection policy ${nothing} not found`,
      `data protection policy ${foreign.id} not found`,
    ]);
    const short = await api.getPolicies<ErrorBody>("short");
    expect(short.status).toBe(400);
    expect(messages(short)[0]).toMatch(
      /^query\.ids\[0\]: expected 32 lower-case hexadecimal digits/,
    );
    expect((await api.removePolicies("win", mac.id)).status).toBe(404);
    expect((await api.removePolicies("win", foreign.id)).status).toBe(404);
    expect((await other.getPolicies(foreign.id)).body).toEqual([foreign]);
  });

  test("only disabled policies can be deleted, and never the default policy", async () => {
    const api = await suite.open();
    const classification = await api.classified({ name: "C" });
    const [a, b, c] = [
      await api.policy("A", { policy_properties: { classifications: [classification.id] } }),
      await api.policy("B"),
      await api.policy("C"),
    ];
    await api.updated(b, { is_enabled: true });
    const standard = await api.defaultOf("win");
    const refused = await api.removePolicies<ErrorBody>("win", a.id, b.id, standard.id);
    expect(refused.status).toBe(409);
    expect(messages(refused)).toEqual([
      `policy ${b.id}, B, is enabled; disable it first`,
      "the default policy of win cannot be deleted",
    ]);
    expect(await api.order()).toEqual(["A", "B", "C", "Default policy"]);
    const deleted = await api.removePolicies("win", c.id, a.id, c.id);
    expect(deleted.status, deleted.text).toBe(200);
    expect(deleted.body).toEqual([c, a]);
    expect(await api.order()).toEqual(["B", "Default policy"]);
    expect((await api.getPolicies(a.id)).status).toBe(404);
    await api.updated(b, { is_enabled: false });
    expect((await api.removePolicies("win", b.id)).status).toBe(200);
    expect((await api.getClassifications(classification.id)).body).toEqual([classification]);
    expect((await api.declassify(classification.id)).status).toBe(200);
  });

  test("concurrent changes to one policy are all kept", async () => {
    const api = await suite.open();
    const group = await api.hostGroup("Finance");
    const policy = await api.policy("A");
    const changes = [
      { name: "B" },
      { description: "Why" },
      { is_enabled: true },
      { host_groups: [group] },
      { policy_properties: { enable_clipboard_inspection: true } },
      { policy_properties: { similarity_detection: true } },
      { policy_properties: { euj_dialog_timeout: 60 } },
      { policy_properties: { be_exclude_domains: "a.example" } },
    ];
    const answers = await Promise.all(
      changes.map((change) => api.update("win", { id: policy.id, ...change })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(changes.length).fill(200));
    const [after] = (await api.getPolicies(policy.id)).body;
    expect(after).toMatchObject({
      name: "B",
      description: "Why",
      is_enabled: true,
      host_groups: [group],
      policy_properties: {
        enable_clipboard_inspection: true,
        similarity_detection: true,
        euj_dialog_timeout: 60,
        be_exclude_domains: "a.example",
      },
    });
  });
});
