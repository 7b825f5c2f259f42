import { expect, test } from "vitest";
import { nothing } from "./support/data-protection.ts";
import { policySuite, type GivenProperties } from "./support/data-protection-policies.ts";
import { forEachEngine } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const place = "body.resources[0].policy_properties";

const shared = {
  classifications: [],
  enable_context_inspection: true,
  enable_content_inspection: true,
  inspection_depth: "balanced",
  min_confidence_level: "medium",
  max_file_size_to_inspect: 104_857_600,
  max_file_size_to_inspect_unit: "Bytes",
  similarity_detection: false,
  similarity_threshold: "80",
  enable_clipboard_inspection: false,
  enable_clipboard_web_origin: false,
  enable_print_monitor: false,
  be_exclude_domains: "",
  be_splash_enabled: true,
  be_splash_message_source: "default",
  be_upload_timeout_duration_seconds: 40,
  be_upload_timeout_response: "allow",
  be_paste_timeout_duration_milliseconds: 800,
  be_paste_timeout_response: "allow",
  be_paste_clipboard_min_size: 32,
  be_paste_clipboard_min_size_unit: "Bytes",
  be_paste_clipboard_max_size: 0.0625,
  be_paste_clipboard_max_size_unit: "KiB",
  be_paste_clipboard_over_size_behaviour_block: false,
  browsers_without_active_extension: "allow",
  block_all_data_access: false,
  allow_notifications: "default",
  block_notifications: "default",
  euj_dialog_timeout: 120,
  euj_require_additional_details: true,
  euj_dialog_box_logo: "",
};

const onlyWindows = {
  enable_network_inspection: false,
  network_inspection_files_exceeding_size_limit: "allow",
  network_inspection_exclude_list_v2: [],
  unsupported_browsers_action: "allow",
  enable_end_user_notifications_unsupported_browser: false,
  evidence_download_enabled: false,
  evidence_duplication_enabled_default: false,
  evidence_encrypted_enabled: false,
  evidence_storage_free_disk_perc: 2,
  evidence_storage_max_size: 1,
  enable_screen_capture: false,
  screen_capture_duration_pre_event: "3",
  screen_capture_duration_post_event: "3",
};

forEachEngine((engine) => {
  const suite = policySuite(() => engine.url());

  test("a new policy is disabled, for no groups, last before the default one", async () => {
    const api = await suite.open();
    const now = api.clock.now().toISOString();
    const win = await api.policy("W", { description: "Why" });
    const expected = {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      cid: api.tenant.cid,
      name: "W",
      description: "Why",
      policy_type: "data-protection",
      platform_name: "win",
      is_default: false,
      is_enabled: false,
      precedence: 0,
      host_groups: [],
      policy_properties: { ...shared, ...onlyWindows },
      created_at: now,
      created_by: api.clientId,
      modified_at: now,
      modified_by: api.clientId,
    };
    expect(win).toEqual(expected);
    const mac = await api.policy("M", {}, "mac");
    expect(mac).toEqual({
      ...expected,
      name: "M",
      description: "",
      platform_name: "mac",
      policy_properties: { ...shared, enable_ocr: true },
    });
    expect((await api.getPolicies(mac.id, win.id, mac.id)).body).toEqual([mac, win]);
    const [entry] = await api.trail();
    expect(entry).toEqual({ operation: "entities.policy.post.v2", ids: [mac.id] });
  });

  test("each tenant starts with a default policy on each platform", async () => {
    const api = await suite.open();
    for (const platform of ["win", "mac"] as const) {
      // oxlint-disable-next-line no-await-in-loop -- two platforms
      const standard = await api.defaultOf(platform);
      expect(standard).toMatchObject({
        cid: api.tenant.cid,
        platform_name: platform,
        is_default: true,
        is_enabled: true,
        precedence: 0,
        host_groups: [],
        created_by: "platform",
      });
      expect(standard.policy_properties).toMatchObject(shared);
    }
  });

  test.each([
    ["its state", { is_enabled: true }, /is_enabled/],
    ["host groups", { host_groups: [] }, /host_groups/],
    ["a platform", { platform_name: "win" }, /platform_name/],
    ["no description", { description: undefined }, /description: is required/],
    ["an empty name", { name: "" }, /name: expected/],
    [
      "an empty text of its own",
      { policy_properties: { custom_block_notification: "" } },
      /custom_block_notification: expected a text of 2 to 256 characters/,
    ],
    [
      "a text that is too long",
      { policy_properties: { be_splash_custom_message: "x".repeat(257) } },
      /be_splash_custom_message: expected/,
    ],
    [
      "a timeout beyond its range",
      { policy_properties: { euj_dialog_timeout: 421 } },
      /euj_dialog_timeout: expected/,
    ],
    [
      "a threshold between the tens",
      { policy_properties: { similarity_threshold: "75" } },
      /similarity_threshold: expected one of/,
    ],
    [
      "a number where a text is asked for",
      { policy_properties: { screen_capture_duration_pre_event: 5 } },
      /screen_capture_duration_pre_event: expected/,
    ],
    [
      "null for a list that has none",
      { policy_properties: { network_inspection_exclude_list_v2: null } },
      /network_inspection_exclude_list_v2: expected/,
    ],
    [
      "a logo that is no data URI",
      { policy_properties: { euj_dialog_box_logo: "https://a.example/logo.png" } },
      /euj_dialog_box_logo: expected a data URI of a PNG/,
    ],
    [
      "a logo that is too large",
      {
        policy_properties: { euj_dialog_box_logo: `data:image/png;base64,${"A".repeat(150_000)}` },
      },
      /euj_dialog_box_logo: expected/,
    ],
    [
      "domains that are too long",
      { policy_properties: { be_exclude_domains: "x".repeat(2_049) } },
      /be_exclude_domains: expected/,
    ],
    [
      "five justifications",
      {
        policy_properties: {
          euj_dropdown_options: {
            justifications: Array.from({ length: 5 }, () => ({
              id: "",
              justification: "x",
              default: false,
              selected: true,
            })),
          },
        },
      },
      /justifications: expected/,
    ],
    [
      "a misspelt property",
      { policy_properties: { enable_ocrs: true } },
      /enable_ocrs: .*did you mean enable_ocr/,
    ],
  ])("a new policy with %s", async (_, more, message) => {
    const api = await suite.open();
    const answer = await api.createPolicies<ErrorBody>("win", {
      name: "A",
      description: "",
      ...more,
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(message);
    expect(await api.order()).toEqual(["Default policy"]);
  });

  test.each([
    ["POST", "/entities/policies/v2", ""],
    ["PATCH", "/entities/policies/v2", ""],
    ["DELETE", "/entities/policies/v2", `ids=${nothing}`],
    ["GET", "/queries/policies/v2", ""],
  ])("%s %s without a platform, and with one that there is not", async (method, path, query) => {
    const api = await suite.open();
    const body = method.startsWith("P") ? { resources: [{ id: nothing }] } : undefined;
    const ask = (more: string) =>
      api.request<ErrorBody>(method, path, {
        query: query + more,
        ...(body === undefined ? {} : { body }),
      });
    const [without, unknown] = [await ask(""), await ask("&platform_name=linux")];
    expect(messages(without)).toContain("query.platform_name: is required");
    expect(messages(unknown)).toContainEqual(
      expect.stringMatching(/^query\.platform_name: expected one of win, mac, got "linux"/),
    );
    expect([without.status, unknown.status]).toEqual([400, 400]);
  });

  test("what is wrong with properties is said of all policies at once", async () => {
    const api = await suite.open();
    const answer = await api.createPolicies<ErrorBody>(
      "mac",
      { name: "A", description: "", policy_properties: { evidence_download_enabled: true } },
      { name: "B", description: "" },
      {
        name: "C",
        description: "",
        policy_properties: { similarity_threshold: "70", max_file_size_to_inspect: 1 },
      },
    );
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      `${place}.evidence_download_enabled: evidence_download_enabled is not a field of Data Protection mac policy`,
      'body.resources[2].policy_properties.similarity_threshold: can differ from "80" only with similarity_detection true; send that as well',
      "body.resources[2].policy_properties.max_file_size_to_inspect: expected 512 to 524288000 bytes, got 1 Bytes",
    ]);
    expect(await api.order("mac")).toEqual(["Default policy"]);
  });

  test("names need not be unique", async () => {
    const api = await suite.open();
    await api.policy("Same");
    await api.policy("Same");
    expect(await api.order()).toEqual(["Same", "Same", "Default policy"]);
  });

  test("a change leaves what it does not name", async () => {
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

  test("a change is held to the rules of a new policy, with what stays", async () => {
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
      // oxlint-disable-next-line no-await-in-loop -- one policy
      const answer = await api.update<ErrorBody>("win", { id: policy.id, policy_properties });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([
        { code: 400, id: policy.id, message: `${place}.${message}` },
      ]);
    }
    expect((await api.getPolicies(policy.id)).body).toEqual([policy]);
  });

  test("host groups and classifications that are not there are named", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const foreign = await other.classified({ name: "C" });
    const foreignGroup = await other.hostGroup("Elsewhere");
    const created = await api.createPolicies<ErrorBody>(
      "win",
      { name: "A", description: "", policy_properties: { classifications: [foreign.id] } },
      { name: "B", description: "", policy_properties: { classifications: [nothing] } },
    );
    expect(created.status).toBe(400);
    expect(messages(created)).toEqual([
      `${place}.classifications[0]: there is no classification ${foreign.id}`,
      `body.resources[1].policy_properties.classifications[0]: there is no classification ${nothing}`,
    ]);
    const { id } = await api.policy("A");
    const changed = await api.update<ErrorBody>("win", {
      id,
      host_groups: [foreignGroup, nothing],
      policy_properties: { classifications: [foreign.id] },
    });
    expect(changed.status).toBe(400);
    expect(messages(changed)).toEqual([
      `body.resources[0].host_groups[0]: there is no host group ${foreignGroup}`,
      `body.resources[0].host_groups[1]: there is no host group ${nothing}`,
      `${place}.classifications[0]: there is no classification ${foreign.id}`,
    ]);
  });

  test("rules record the screen only where the policy allows it", async () => {
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

  test("what cannot be changed of a default policy, and what can", async () => {
    const api = await suite.open();
    const group = await api.hostGroup("Finance");
    await api.policy("A");
    const standard = await api.defaultOf("win");
    const cases: readonly (readonly [object, string])[] = [
      [
        { name: "Mine" },
        "name: the default policy of win keeps the name Default policy; leave the name out",
      ],
      [{ is_enabled: false }, "is_enabled: the default policy of win is always enabled"],
      [{ precedence: 0 }, "precedence: the default policy of win comes last; leave precedence out"],
      [{ host_groups: [group] }, "host_groups: the default policy of win has no host groups"],
    ];
    for (const [change, message] of cases) {
      // oxlint-disable-next-line no-await-in-loop -- one policy
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

  test("changes to nothing, to the other platform's, to another tenant's and twice to one", async () => {
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
    const found = await api.getPolicies<ErrorBody>(nothing, win.id, foreign.id);
    expect(found.status).toBe(404);
    expect(found.body.resources).toEqual([win]);
    expect(messages(found)).toEqual([
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

  test("only disabled policies are deleted, and never the default one", async () => {
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

  test("every property can be filtered by", async () => {
    const api = await suite.open();
    const classification = await api.classified({ name: "C" });
    const group = await api.hostGroup("Finance");
    const plain = await api.policy("Plain", { description: "Nothing special" });
    api.clock.advance(1_000);
    const rich = await api.policy("Rich", {
      policy_properties: {
        classifications: [classification.id],
        enable_network_inspection: true,
        network_inspection_exclude_list_v2: ["a.example", "b.example"],
        network_inspection_files_exceeding_size_limit: "block",
        be_exclude_domains: "*://*.Example.com/*",
        be_splash_enabled: false,
        be_splash_message_source: "custom",
        be_splash_custom_message: "Please wait",
        be_paste_clipboard_over_size_behaviour_block: true,
        enable_end_user_notifications_unsupported_browser: true,
        custom_block_notification: "No way",
        euj_dialog_timeout: 90,
        evidence_download_enabled: true,
        evidence_storage_max_size: 50,
        screen_capture_duration_pre_event: "5",
        enable_screen_capture: true,
        unsupported_browsers_action: "block",
      },
    });
    await api.updated(rich, { is_enabled: true, host_groups: [group] });
    await api.policy("On mac", { policy_properties: { enable_ocr: false } }, "mac");
    const standard = await api.defaultOf("win");
    const names = new Map([
      [plain.id, "p"],
      [rich.id, "r"],
      [standard.id, "d"],
    ]);
    const found = async (query: Record<string, string | number>) =>
      (await api.policyIds("win", query)).map((id) => names.get(id) ?? "?").join("");
    const cases: readonly (readonly [string, string])[] = [
      ["name:'rich'", "r"],
      ["name.raw:'rich'", ""],
      ["description:~'special'", "p"],
      ["precedence:<1", "p"],
      ["is_enabled:true", "rd"],
      ["is_default:true", "d"],
      [`host_groups:'${group}'`, "r"],
      [`created_at:>'${plain.created_at}'`, "r"],
      [`created_by:'${api.clientId}'`, "pr"],
      ["modified_by:'platform'", "d"],
      [`properties.classifications:'${classification.id}'`, "r"],
      [`properties.classifications:!'${classification.id}'`, "pd"],
      ["properties.network_inspection_exclude_list_v2:'b.example'", "r"],
      ["properties.network_inspection_exclude_list_v2:*'a.*'", "r"],
      ["properties.network_inspection_exclude_list_v2:null", "pd"],
      ["properties.network_inspection_files_exceeding_size_limit:'block'", "r"],
      ["properties.be_exclude_domains:*'*.example.com*'", "r"],
      ["properties.besplash_enabled:false", "r"],
      ["properties.be_splash_enabled:true", "pd"],
      ["properties.besplash_message_source:'custom'", "r"],
      ["properties.besplash_custom_message:~'please'", "r"],
      ["properties.be_splash_custom_message:null", "pd"],
      ["properties.be_paste_clipboard_over_size_behaviour_block:true", "r"],
      ["properties.enable_end_user_notifications_unsupported_browser:true", "r"],
      ["properties.custom_block_notification:'no way'", "r"],
      ["properties.euj_dialog_timeout:<120", "r"],
      ["properties.evidence_storage_max_size:>=1", "prd"],
      ["properties.evidence_storage_max_size:50", "r"],
      ["properties.screen_capture_duration_pre_event:'5'", "r"],
      ["properties.unsupported_browsers_action:'block'", "r"],
      ["properties.similarity_threshold:['70','80']", "prd"],
      ["properties.enable_ocr:null", "prd"],
      ["properties.be_paste_clipboard_max_size:0.0625", "prd"],
    ];
    for (const [filter, expected] of cases) {
      // oxlint-disable-next-line no-await-in-loop -- one server
      expect(await found({ filter, sort: "precedence" }), filter).toBe(expected);
    }
    expect(await found({ sort: "name.desc" })).toBe("rpd");
    expect(await found({ sort: "precedence.desc" })).toBe("drp");
    expect(await found({ sort: "created_at|asc", limit: 1, offset: 1 })).toHaveLength(1);
    expect(await api.policyIds("mac", { filter: "properties.enable_ocr:false" })).toHaveLength(1);
    expect(
      await api.policyIds("mac", { filter: "properties.evidence_download_enabled:null" }),
    ).toHaveLength(2);
    const refused = async (query: Record<string, string>) => {
      const answer = await api.request<ErrorBody>("GET", "/queries/policies/v2", {
        query: { platform_name: "win", ...query },
      });
      expect(answer.status).toBe(400);
      return messages(answer)[0];
    };
    expect(await refused({ filter: "platform_name:'mac'" })).toMatch(/platform_name/);
    expect(await refused({ filter: "properties.inspection_depth:'deep'" })).toMatch(/deep_scan/);
    expect(await refused({ filter: "properties.enable_ocrs:true" })).toMatch(/enable_ocr/);
    expect(await refused({ sort: "properties.euj_dialog_timeout" })).toMatch(/euj_dialog_timeout/);
  });

  test("changes at once to one policy all stay", async () => {
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
