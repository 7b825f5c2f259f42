import { describe, expect, test } from "vitest";
import type { TestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import type { Envelope } from "./support/existing-clients.ts";
import { sharedApi } from "./support/shared-api.ts";
import { readById, resources, theOnly, type Resource } from "./support/terraform.ts";

const policiesPath = "/data-protection/entities/policies/v2";
const patternsPath = "/data-protection/entities/content-patterns/v1";
const labelsPath = "/data-protection/entities/labels/v2";

/** All settings that the provider manages, with its defaults; it sends every one of them each time. */
const onBothPlatforms = {
  classifications: [],
  enable_context_inspection: true,
  enable_content_inspection: true,
  enable_clipboard_inspection: false,
  enable_clipboard_web_origin: false,
  similarity_detection: false,
  similarity_threshold: "80",
  inspection_depth: "balanced",
  min_confidence_level: "medium",
  max_file_size_to_inspect: 104_857_600,
  max_file_size_to_inspect_unit: "Bytes",
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
  allow_notifications: "default",
  block_notifications: "default",
  euj_dialog_box_logo: "",
  euj_require_additional_details: true,
  euj_dialog_timeout: 120,
};
const onWindows = {
  browsers_without_active_extension: "allow",
  block_all_data_access: false,
  enable_screen_capture: false,
  screen_capture_duration_pre_event: "3",
  screen_capture_duration_post_event: "3",
  evidence_download_enabled: false,
  evidence_encrypted_enabled: false,
  evidence_storage_free_disk_perc: 2,
  evidence_storage_max_size: 1,
  enable_network_inspection: false,
  network_inspection_files_exceeding_size_limit: "allow",
};
const settingsOf = { win: { ...onBothPlatforms, ...onWindows }, mac: onBothPlatforms };

/** Justifications have an id only where the platform's own texts stand. */
const justifications = (...custom: readonly string[]) => ({
  justifications: [
    ...["Business purposes", "Personal use"].map((text) => ({
      justification: text,
      id: text,
      default: true,
      selected: true,
    })),
    ...custom.map((justification) => ({ justification, default: false, selected: true })),
  ],
});

const propertiesOf = (policy: Resource) => policy["policy_properties"] as Record<string, unknown>;
const headersOf = (policy: Resource) =>
  (propertiesOf(policy)["euj_header_text"] as { readonly headers: readonly object[] }).headers;

/** The requests of the Terraform provider for data protection, in its order. */
withPostgresAtNight((engine) => {
  describe("data protection of the Terraform provider", () => {
    const suite = sharedApi(engine, { catalogue: true, config: { compat: true } });

    const create = (api: TestApi, platform_name: "win" | "mac", input: object) =>
      resources(api, "POST", policiesPath, {
        query: { platform_name },
        body: { resources: [input] },
      }).then(theOnly);
    /** Members that the provider leaves unset are null. */
    const update = async (api: TestApi, platform_name: string, patch: object) => {
      const unset = { host_groups: null, policy_properties: null, precedence: null };
      await resources(api, "PATCH", policiesPath, {
        query: { platform_name },
        body: { resources: [{ ...unset, ...patch }] },
      });
    };
    const isMissing = async (api: TestApi, ids: string) => {
      const { status, body } = await api.request<Envelope>("GET", policiesPath, { query: { ids } });
      expect([status, body]).toMatchObject([200, { resources: [], errors: [{ code: 404 }] }]);
    };

    test.each([["win"], ["mac"]] as const)(
      "a policy for %s: create, enable with groups, change every kind of setting, delete",
      async (platform) => {
        const api = await suite.open();
        const policy_properties = {
          ...settingsOf[platform],
          ...(platform === "mac" ? { enable_ocr: true } : {}),
          euj_dropdown_options: justifications(),
        };
        const stored = await create(api, platform, {
          name: "p",
          description: "",
          policy_properties,
        });
        expect(stored).toMatchObject({ platform_name: platform, is_enabled: false });
        expect(propertiesOf(stored)).toMatchObject(policy_properties);
        const id = String(stored["id"]);
        const group = theOnly(
          await resources(api, "POST", "/devices/entities/host-groups/v1", {
            body: { resources: [{ name: "g", group_type: "static" }] },
          }),
        );
        const [builtIn = {}] = headersOf(stored);
        const headers = [
          { ...builtIn, selected: false },
          { header: "Why?", default: false, selected: true },
        ];
        await update(api, platform, {
          id,
          is_enabled: true,
          name: "p",
          description: "",
          host_groups: [group["id"]],
          policy_properties: {
            ...policy_properties,
            be_exclude_domains: "a.example,b.example",
            be_splash_message_source: "custom",
            be_splash_custom_message: "Careful",
            euj_dropdown_options: justifications("Asked to"),
            euj_header_text: { headers },
          },
        });
        const changed = await readById(api, policiesPath, id);
        expect(changed).toMatchObject({ is_enabled: true, host_groups: [group["id"]] });
        expect(headersOf(changed)).toEqual(headers);
        expect(propertiesOf(changed)).toMatchObject({
          be_exclude_domains: "a.example,b.example",
          be_splash_custom_message: "Careful",
        });
        const [, , custom] = (
          propertiesOf(changed)["euj_dropdown_options"] as {
            readonly justifications: readonly object[];
          }
        ).justifications;
        expect(custom).toMatchObject({ justification: "Asked to", default: false, selected: true });
        await update(api, platform, {
          id,
          is_enabled: true,
          name: "q",
          description: "",
          host_groups: [],
          policy_properties: {
            ...policy_properties,
            euj_header_text: {
              headers: [builtIn, { header: "", default: false, selected: false }],
            },
          },
        });
        const reset = await readById(api, policiesPath, id);
        expect(reset).toMatchObject({ name: "q", description: "" });
        expect((reset["host_groups"] as readonly unknown[] | null) ?? []).toEqual([]);
        expect(propertiesOf(reset)).toMatchObject(policy_properties);
        expect(headersOf(reset)).toEqual(headersOf(stored));
        await update(api, platform, { id, is_enabled: false });
        expect(await readById(api, policiesPath, id)).toMatchObject({ name: "q" });
        const query = { platform_name: platform, ids: id };
        await resources(api, "DELETE", policiesPath, { query });
        await isMissing(api, id);
      },
    );

    test("a policy that only a search finds: by name and platform, then read by id", async () => {
      const api = await suite.open();
      const { id } = await create(api, "win", {
        name: "found",
        description: "d",
        policy_properties: settingsOf.win,
      });
      const ids = await resources(api, "GET", "/data-protection/queries/policies/v2", {
        query: { platform_name: "win", filter: "name:'found'" },
      });
      expect(ids).toEqual([id]);
      expect(await readById(api, policiesPath, id)).toMatchObject({
        name: "found",
        is_default: false,
        precedence: expect.any(Number),
      });
    });

    test("content patterns: create, change by id in query and body, import, delete", async () => {
      const api = await suite.open();
      const pattern = {
        category: "Custom",
        description: "SSN pattern",
        min_match_threshold: 1,
        name: "ssn",
        regexes: ["\\b\\d{3}-\\d{2}-\\d{4}\\b"],
        region: "ALL",
      };
      const stored = theOnly(await resources(api, "POST", patternsPath, { body: pattern }));
      expect(stored).toMatchObject(pattern);
      const id = String(stored["id"]);
      const change = {
        ...pattern,
        id,
        name: "mail",
        description: null,
        min_match_threshold: 2,
        regexes: ["\\b[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Z|a-z]{2,}\\b"],
      };
      const changed = theOnly(
        await resources(api, "PATCH", patternsPath, { query: { id }, body: change }),
      );
      const { description: _, ...expected } = change;
      expect(changed).toMatchObject(expected);
      expect(await readById(api, patternsPath, id)).toEqual(changed);
      await resources(api, "DELETE", patternsPath, { query: { ids: id } });
      expect(await readById(api, patternsPath, id)).toMatchObject({ deleted: true });
    });

    test("sensitivity labels: create, import, and recognise deleted ones by `deleted`", async () => {
      const api = await suite.open();
      const label = {
        co_authoring: true,
        display_name: "Confidential",
        external_id: "confidential-external",
        label_provider: "microsoft",
        name: "confidential",
        plugins_configuration_id: "plug-in-1",
        synced: true,
      };
      const stored = theOnly(await resources(api, "POST", labelsPath, { body: label }));
      expect(stored).toMatchObject({ ...label, cid: api.tenant.cid });
      expect(await readById(api, labelsPath, stored["id"])).toEqual(stored);
      await resources(api, "DELETE", labelsPath, { query: { ids: String(stored["id"]) } });
      expect(await readById(api, labelsPath, stored["id"])).toMatchObject({ deleted: true });
    });

    test("file types: found by name, then read by id", async () => {
      const api = await suite.open();
      const [first] = (await resources(api, "GET", "/data-protection/queries/file-types/v2", {
        query: { limit: 1 },
      })) as unknown as readonly string[];
      const path = "/data-protection/entities/file-types/v1";
      const type = await readById(api, path, first);
      const ids = await resources(api, "GET", "/data-protection/queries/file-types/v2", {
        query: { filter: `name:'${String(type["name"])}'` },
      });
      expect(ids).toEqual([first]);
      expect(type).toMatchObject({
        supported_platforms: expect.any(Array),
        supports_content_inspection: expect.any(Boolean),
        created: expect.stringMatching(/Z$/),
        last_updated: expect.stringMatching(/Z$/),
      });
    });
  });
});
