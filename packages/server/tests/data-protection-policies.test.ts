import { expect, test } from "vitest";
import { nothing } from "./support/data-protection.ts";
import { policySuite } from "./support/data-protection-policies.ts";
import { withPostgresAtNight } from "./support/engines.ts";
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
  euj_header_text: {
    headers: [
      {
        header: "Your organization asks you to justify this action.",
        default: true,
        selected: true,
      },
      { header: "", default: false, selected: false },
    ],
  },
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

withPostgresAtNight((engine) => {
  const suite = policySuite(engine);

  test("a new policy is disabled, has no groups, and is the last before the default policy", async () => {
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
  ])("%s %s requires a known platform", async (method, path, query) => {
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

  test("invalid properties of all policies are reported at once", async () => {
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

  test("unknown host groups and classifications are reported", async () => {
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
});
