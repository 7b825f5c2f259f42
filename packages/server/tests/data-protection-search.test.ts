import { describe, expect, test } from "vitest";
import { nothing } from "./support/data-protection.ts";
import { policySuite, surroundings } from "./support/data-protection-policies.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { fillIn } from "./support/fill-in.ts";
import { once } from "./support/once.ts";
import { messages, type ErrorBody } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = policySuite(engine);

  describe("classifications", () => {
    const filled = once(async () => {
      const api = await suite.open();
      const { pattern, label, source, type } = await surroundings(api);
      const a = await api.classified({
        name: "Contracts of Åland",
        classification_properties: {
          content_patterns: [pattern.id],
          content_patterns_operator: "and",
          file_types: [type.id],
          web_sources: [source.id],
          evidence_duplication_enabled: true,
        },
      });
      api.clock.advance(1_000);
      const b = await api.classified({
        name: "Bills",
        classification_properties: {
          content_patterns: [pattern.id],
          sensitivity_labels: [label.id],
          protection_mode: "enforce",
        },
      });
      api.clock.advance(1_000);
      const c = await api.classified({ name: "Drafts" });
      api.clock.advance(1_000);
      await api.reclassify({ id: a.id });
      const names = new Map([a, b, c].map(({ id }, index) => [id, "abc".charAt(index)]));
      const namesBy = async (query: Record<string, string | number>) =>
        (await api.classificationIds(query)).map((id) => names.get(id)).join("");
      const values = {
        nothing,
        pattern: pattern.id,
        label: label.id,
        source: source.id,
        type: type.id,
        b: b.id,
        created: a.created_at,
        modified: c.modified_at,
        client: api.clientId,
      };
      return { api, namesBy, values };
    });

    test.each([
      ["id:'{b}'", "b"],
      ["name:'bills'", "b"],
      ["name.raw:'bills'", ""],
      ["name:~'contracts'", "a"],
      ["name:*'*s'", "bc"],
      ["properties.content_patterns:'{pattern}'", "ab"],
      ["properties.content_patterns:!'{pattern}'", "c"],
      ["properties.content_patterns:['{nothing}','{pattern}']", "ab"],
      ["properties.content_patterns:null", "c"],
      ["properties.content_patterns_operator:'and'", "a"],
      ["properties.evidence_duplication_enabled:true", "a"],
      ["properties.protection_mode:'enforce'", "b"],
      ["properties.file_types:'{type}'", "a"],
      ["properties.sensitivity_labels:'{label}'", "b"],
      ["properties.web_sources:'{source}'", "a"],
      ["created_at:>'{created}'", "bc"],
      ["modified_at:>'{modified}'", "a"],
      ["created_by:'{client}'+modified_by:'{client}'", "abc"],
    ])("are filtered by %s", async (text, expected) => {
      const { namesBy, values } = await filled();
      expect(await namesBy({ filter: fillIn(text, values), sort: "created_at" })).toBe(expected);
    });

    test.each([
      [{ sort: "name.asc" }, "bac"],
      [{ sort: "modified_at.desc" }, "acb"],
      [{ sort: "created_at|desc", limit: 1, offset: 1 }, "b"],
    ])("are sorted by %j", async (query, expected) => {
      const { namesBy } = await filled();
      expect(await namesBy(query)).toBe(expected);
    });

    test.each<[Record<string, string>, RegExp]>([
      [{ filter: "web_location_ids:'x'" }, /unknown field/i],
      [{ filter: "properties.protection_mode:'off'" }, /monitor/],
      [{ sort: "properties.protection_mode" }, /protection_mode/],
      [{ limit: "501" }, /query\.limit/],
      [{ offset: "10001" }, /query\.offset/],
    ])("cannot be queried by %j", async (query, message) => {
      const { api } = await filled();
      const path = "/queries/classifications/v2";
      const answer = await api.request<ErrorBody>("GET", path, { query });
      expect(answer.status).toBe(400);
      expect(messages(answer)[0]).toMatch(message);
    });
  });

  describe("policies", () => {
    const filled = once(async () => {
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
      const namesBy = async (query: Record<string, string | number>) =>
        (await api.policyIds("win", query)).map((id) => names.get(id) ?? "?").join("");
      const values = {
        group,
        classification: classification.id,
        created: plain.created_at,
        client: api.clientId,
      };
      return { api, namesBy, values };
    });

    test.each([
      ["name:'rich'", "r"],
      ["name.raw:'rich'", ""],
      ["description:~'special'", "p"],
      ["precedence:<1", "p"],
      ["is_enabled:true", "rd"],
      ["is_default:true", "d"],
      ["host_groups:'{group}'", "r"],
      ["created_at:>'{created}'", "r"],
      ["created_by:'{client}'", "pr"],
      ["modified_by:'platform'", "d"],
      ["properties.classifications:'{classification}'", "r"],
      ["properties.classifications:!'{classification}'", "pd"],
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
    ])("are filtered by %s", async (text, expected) => {
      const { namesBy, values } = await filled();
      expect(await namesBy({ filter: fillIn(text, values), sort: "precedence" })).toBe(expected);
    });

    test("of a platform are filtered by its own properties", async () => {
      const { api } = await filled();
      const count = async (filter: string) => (await api.policyIds("mac", { filter })).length;
      expect(await count("properties.enable_ocr:false")).toBe(1);
      expect(await count("properties.evidence_download_enabled:null")).toBe(2);
    });

    test("are sorted and paged", async () => {
      const { namesBy } = await filled();
      expect(await namesBy({ sort: "name.desc" })).toBe("rpd");
      expect(await namesBy({ sort: "precedence.desc" })).toBe("drp");
      expect(await namesBy({ sort: "created_at|asc", limit: 1, offset: 1 })).toHaveLength(1);
    });

    test.each<[Record<string, string>, RegExp]>([
      [{ filter: "platform_name:'mac'" }, /platform_name/],
      [{ filter: "properties.inspection_depth:'deep'" }, /deep_scan/],
      [{ filter: "properties.enable_ocrs:true" }, /enable_ocr/],
      [{ sort: "properties.euj_dialog_timeout" }, /euj_dialog_timeout/],
    ])("cannot be queried by %j", async (query, message) => {
      const { api } = await filled();
      const answer = await api.request<ErrorBody>("GET", "/queries/policies/v2", {
        query: { platform_name: "win", ...query },
      });
      expect(answer.status).toBe(400);
      expect(messages(answer)[0]).toMatch(message);
    });
  });
});
