import { expect, test } from "vitest";
import { nothing } from "./support/data-protection.ts";
import { policySuite, surroundings } from "./support/data-protection-policies.ts";
import { forEachEngine } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

forEachEngine((engine) => {
  const suite = policySuite(engine);

  test("classifications are filtered and sorted", async () => {
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
    const cases: readonly (readonly [string, string])[] = [
      [`id:'${b.id}'`, "b"],
      ["name:'bills'", "b"],
      ["name.raw:'bills'", ""],
      ["name:~'contracts'", "a"],
      ["name:*'*s'", "bc"],
      [`properties.content_patterns:'${pattern.id}'`, "ab"],
      [`properties.content_patterns:!'${pattern.id}'`, "c"],
      [`properties.content_patterns:['${nothing}','${pattern.id}']`, "ab"],
      ["properties.content_patterns:null", "c"],
      ["properties.content_patterns_operator:'and'", "a"],
      ["properties.evidence_duplication_enabled:true", "a"],
      ["properties.protection_mode:'enforce'", "b"],
      [`properties.file_types:'${type.id}'`, "a"],
      [`properties.sensitivity_labels:'${label.id}'`, "b"],
      [`properties.web_sources:'${source.id}'`, "a"],
      [`created_at:>'${a.created_at}'`, "bc"],
      [`modified_at:>'${c.modified_at}'`, "a"],
      [`created_by:'${api.clientId}'+modified_by:'${api.clientId}'`, "abc"],
    ];
    for (const [filter, expected] of cases) {
      expect(await namesBy({ filter, sort: "created_at" }), filter).toBe(expected);
    }
    expect(await namesBy({ sort: "name.asc" })).toBe("bac");
    expect(await namesBy({ sort: "modified_at.desc" })).toBe("acb");
    expect(await namesBy({ sort: "created_at|desc", limit: 1, offset: 1 })).toBe("b");
    const refused = async (query: Record<string, string>) => {
      const answer = await api.request<ErrorBody>("GET", "/queries/classifications/v2", { query });
      expect(answer.status).toBe(400);
      return messages(answer)[0];
    };
    expect(await refused({ filter: "web_location_ids:'x'" })).toMatch(/unknown field/i);
    expect(await refused({ filter: "properties.protection_mode:'off'" })).toMatch(/monitor/);
    expect(await refused({ sort: "properties.protection_mode" })).toMatch(/protection_mode/);
    expect(await refused({ limit: "501" })).toMatch(/query\.limit/);
    expect(await refused({ offset: "10001" })).toMatch(/query\.offset/);
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
    const namesBy = async (query: Record<string, string | number>) =>
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
      expect(await namesBy({ filter, sort: "precedence" }), filter).toBe(expected);
    }
    expect(await namesBy({ sort: "name.desc" })).toBe("rpd");
    expect(await namesBy({ sort: "precedence.desc" })).toBe("drp");
    expect(await namesBy({ sort: "created_at|asc", limit: 1, offset: 1 })).toHaveLength(1);
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
});
