import { newIdentifier } from "../../../foundation/identifiers.ts";
import { isDeepStrictEqual } from "node:util";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../../foundation/errors.ts";
import type { Rule } from "../classifications.ts";

type Schemas = components["schemas"];
export type RuleInput = Schemas["ClassificationRuleInput"];

/**
 * Builds the rules of a request, in its order. An item with the id of a rule in `before` keeps the id and
 * the creation members, and counts as modified if it differs.
 */
export function rulesOf(
  inputs: readonly RuleInput[],
  before: readonly Rule[],
  now: Date,
): readonly Rule[] {
  const written = now.toISOString();
  const earlierRules = new Map(before.map((rule) => [rule.id, rule]));
  return inputs.map((input) => {
    const earlier = earlierRules.get(input.id ?? "");
    const rule = ruleOf(input, {
      id: earlier?.id ?? newIdentifier(),
      created: earlier?.created_time_stamp ?? written,
      modified: earlier?.modified_time_stamp ?? written,
    });
    return earlier === undefined || isDeepStrictEqual(rule, earlier)
      ? rule
      : { ...rule, modified_time_stamp: written };
  });
}

/** Builds one rule with ordered members; absent members get their defaults. */
function ruleOf(
  input: RuleInput,
  { id, created, modified }: { id: string; created: string; modified: string },
): Rule {
  return {
    id,
    description: input.description ?? "",
    response_action: input.response_action ?? "allow",
    trigger_detection: input.trigger_detection ?? false,
    detection_severity: input.detection_severity ?? "informational",
    notify_end_user: input.notify_end_user ?? false,
    user_scope: input.user_scope ?? "all",
    ad_users: input.ad_users ?? [],
    ad_groups: input.ad_groups ?? [],
    enable_web_locations: input.enable_web_locations ?? false,
    web_locations_scope: input.web_locations_scope ?? "all",
    web_locations: input.web_locations ?? [],
    enable_usb_devices: input.enable_usb_devices ?? false,
    enable_printer_egress: input.enable_printer_egress ?? false,
    enable_local_application_groups: input.enable_local_application_groups ?? false,
    local_application_groups: input.local_application_groups ?? [],
    enable_screen_capture_rule: input.enable_screen_capture_rule ?? false,
    created_time_stamp: created,
    modified_time_stamp: modified,
  };
}

/** The rules with screen capture switched off. */
export const withoutScreens = (rules: readonly Rule[], now: Date): readonly Rule[] =>
  rules.map((rule) =>
    rule.enable_screen_capture_rule
      ? { ...rule, enable_screen_capture_rule: false, modified_time_stamp: now.toISOString() }
      : rule,
  );

/** Problems of ids: unknown in `before`, or duplicate. */
export function ruleIdProblems(
  inputs: readonly RuleInput[],
  before: readonly Rule[],
  at: string,
): readonly Problem[] {
  const earlierIds = new Set(before.map(({ id }) => id));
  const places = new Map<string, string>();
  return inputs.flatMap(({ id = "" }, index): readonly Problem[] => {
    if (id === "") return [];
    const place = `${at}[${index}]`;
    const earlier = places.get(id);
    if (earlier === undefined) places.set(id, place);
    else return [{ at: `${place}.id`, id, message: `is already the id of ${earlier}` }];
    if (earlierIds.has(id)) return [];
    const message = `the classification has no rule ${id}; omit the id to create a new one`;
    return [{ at: `${place}.id`, id, message }];
  });
}

/** Problems of rules that do not depend on the request. `evidence`: copies of the data are kept. */
export const ruleProblems = (
  rules: readonly Rule[],
  evidence: boolean,
  at: string,
): readonly Problem[] =>
  rules.flatMap((rule, index): readonly Problem[] => {
    const place = `${at}[${index}]`;
    const problems: Problem[] = [];
    if (rule.user_scope === "specific" && rule.ad_users.length + rule.ad_groups.length === 0) {
      problems.push({
        at: `${place}.user_scope`,
        message: "specific needs at least one of ad_users or ad_groups",
      });
    }
    const { enable_web_locations, web_locations_scope, web_locations } = rule;
    if (enable_web_locations && web_locations_scope === "specific" && web_locations.length === 0) {
      problems.push({
        at: `${place}.web_locations_scope`,
        message: "specific needs at least one of web_locations",
      });
    }
    if (rule.enable_screen_capture_rule && !evidence) {
      problems.push({
        at: `${place}.enable_screen_capture_rule`,
        message: "needs evidence_duplication_enabled of the classification",
      });
    }
    return problems;
  });
