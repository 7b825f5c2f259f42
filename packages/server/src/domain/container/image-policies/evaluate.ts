import type { components } from "@security-platform/spec";
import { severities, type Severity } from "../advisories/severity.ts";
import type { ImageVulnerability } from "../advisories/match.ts";
import type { ImageDetection } from "../scans/detection.ts";
import type { ImageReport, Scan } from "../scans/scans.ts";
import { conditionProblems, imageProperties } from "./conditions.ts";
import {
  imagePolicyConfig,
  implicitPolicy,
  type ImagePolicy,
  type ImagePolicyCondition,
  type ImagePolicyGroup,
} from "./image-policies.ts";
import { matchesPattern } from "./pattern.ts";

type Result = components["schemas"]["PolicyCheckResult"];
type Rule = NonNullable<ImagePolicy["policy_data"]>["rules"][number];
type Evaluation = components["schemas"]["ImagePolicyEvaluation"];

/** The findings that met the conditions of a rule. */
interface MatchedFindings {
  readonly vulnerabilities: readonly ImageVulnerability[];
  readonly detections: readonly ImageDetection[];
}

/**
 * Decides whether an image may be deployed. `policies` are enabled, in the order of precedence. A
 * policy that was stored before its conditions were validated denies the image where an invalid
 * condition decides, because nobody knows what it was to find.
 */
export function evaluatePolicies(
  policies: readonly ImagePolicy[],
  scan: Scan,
  report: ImageReport,
  now: Date,
): Result {
  for (const policy of policies) {
    const { groups = [], rules = [] } = policy.policy_data ?? {};
    const unclear = groups.flatMap(({ policy_group_data }) =>
      invalidConditions(policy_group_data?.conditions, true),
    );
    if (unclear.length > 0) return denied(policy, unclear, scan, now);
    const group = groups.find(({ policy_group_data }) =>
      (policy_group_data?.conditions ?? []).every((condition) => imageMeets(condition, scan)),
    );
    if (groups.length > 0 && group === undefined) continue;
    for (const rule of rules) {
      const invalid = invalidConditions(rule.policy_rules_data?.conditions, false);
      if (invalid.length > 0) return denied(policy, invalid, scan, now);
      const matched = matchRule(rule, scan, report);
      if (matched !== null) return resultOf(policy, { group, rule, matched }, scan, now);
    }
    return resultOf(policy, { group }, scan, now);
  }
  return resultOf(implicitPolicy(now), {}, scan, now);
}

const invalidConditions = (
  conditions: readonly ImagePolicyCondition[] = [],
  isInGroup: boolean,
): readonly ImagePolicyCondition[] =>
  conditions.filter((each) => conditionProblems(each, "", isInGroup).length > 0);

/** The result for invalid conditions, which it contains as the reason. */
function denied(
  policy: ImagePolicy,
  conditions: readonly ImagePolicyCondition[],
  scan: Scan,
  now: Date,
): Result {
  const rule: Rule = {
    action: "block",
    policy_rules_data: { conditions: conditions.slice(0, mostConditions) },
  };
  return resultOf(policy, { rule }, scan, now);
}

/** Maximum number of conditions in a result. */
const mostConditions = 100;

function resultOf(
  policy: ImagePolicy,
  {
    group,
    rule,
    matched = { vulnerabilities: [], detections: [] },
  }: {
    readonly group?: ImagePolicyGroup | undefined;
    readonly rule?: Rule;
    readonly matched?: MatchedFindings;
  },
  { image_digest, image_id, registry, repository, tag }: Scan,
  now: Date,
): Result {
  const action = rule?.action ?? "allow";
  return {
    deny: action === "block",
    action,
    evaluated_at: now.toISOString(),
    conditions: [...(rule?.policy_rules_data?.conditions ?? [])],
    evaluation_details: detailsOf(matched),
    image: { image_digest, image_id, registry, repository, tag },
    policy,
    ...(group === undefined ? {} : { policy_group: group }),
    policy_type: imagePolicyConfig,
  };
}

function detailsOf({ vulnerabilities, detections }: MatchedFindings): Evaluation {
  const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
  return {
    matched_cve_list: distinct(vulnerabilities.map(({ CVEID }) => CVEID)),
    matched_detection_list: distinct(detections.map(({ Name }) => Name)),
    matched_package_list: distinct(
      vulnerabilities.map(({ Product }) => `${Product.Product} ${Product.MajorVersion}`),
    ),
    matched_base_os_list: [],
    excluded_cve_list: [],
    excluded_detection_list: [],
    excluded_package_list: [],
  };
}

/** Properties of the image itself; all others are properties of its findings. */
const imagePropertyNames = new Set<string>(imageProperties);
const detectionPropertyNames = new Set<string>(["severity", "detection_type"]);

/**
 * The findings that meet all conditions of a rule, or null if the rule is not true. One
 * vulnerability or detection must meet all conditions on findings together.
 */
function matchRule(rule: Rule, scan: Scan, report: ImageReport): MatchedFindings | null {
  const conditions = rule.policy_rules_data?.conditions ?? [];
  const image = conditions.filter(({ property }) => imagePropertyNames.has(property));
  if (!image.every((condition) => imageMeets(condition, scan))) return null;
  const findings = conditions.filter(({ property }) => !imagePropertyNames.has(property));
  if (findings.length === 0) return { vulnerabilities: [], detections: [] };
  const aboutDetections = findings.every(({ property }) => detectionPropertyNames.has(property));
  const vulnerabilities = (report.Vulnerabilities ?? [])
    .map(({ Vulnerability }) => Vulnerability)
    .filter((each) => findings.every((condition) => vulnerabilityMeets(condition, each)));
  const detections = !aboutDetections
    ? []
    : (report.Detections ?? [])
        .map(({ Detection }) => Detection)
        .filter((each) => findings.every((condition) => detectionMeets(condition, each)));
  return vulnerabilities.length + detections.length > 0 ? { vulnerabilities, detections } : null;
}

function imageMeets(condition: ImagePolicyCondition, scan: Scan): boolean {
  const { property } = condition;
  if (property !== "registry" && property !== "repository" && property !== "tag") return false;
  return holdsForText(condition, scan[property]);
}

function vulnerabilityMeets(condition: ImagePolicyCondition, each: ImageVulnerability): boolean {
  const { Details, Product, CVEID, FixedVersions = [] } = each;
  switch (condition.property) {
    case "severity":
      return holdsForSeverity(condition, Details.severity);
    case "cvss_score": {
      const score = Details.cvss_v3_score?.base_score ?? Details.cvss_v2_score?.base_score;
      return score !== undefined && holdsForNumber(condition, score);
    }
    case "cve_id":
      return holdsForText(condition, CVEID);
    case "package_name":
      return holdsForText(condition, Product.Product);
    case "fix_available":
      return holdsForText(condition, String(FixedVersions.length > 0));
    default:
      return false;
  }
}

function detectionMeets(condition: ImagePolicyCondition, each: ImageDetection): boolean {
  if (condition.property === "severity") return holdsForSeverity(condition, each.Severity);
  return condition.property === "detection_type" && holdsForText(condition, each.Type);
}

function holdsForSeverity(condition: ImagePolicyCondition, severity: Severity): boolean {
  if (condition.operator !== "at_least") return holdsForText(condition, severity);
  const rank = severities.indexOf(severity);
  return condition.values.some((value) => {
    const least = severities.indexOf(value.toLowerCase() as Severity);
    return least >= 0 && rank >= least;
  });
}

function holdsForNumber({ operator, values }: ImagePolicyCondition, number: number): boolean {
  const numbers = values.map(Number).filter((value) => !Number.isNaN(value));
  return numbers.some((value) => (operator === "at_least" ? number >= value : number === value));
}

function holdsForText({ operator, values }: ImagePolicyCondition, text: string): boolean {
  const lower = text.toLowerCase();
  if (operator === "any_of") return values.some((value) => value.toLowerCase() === lower);
  return values.some((value) => matchesPattern(value.toLowerCase(), lower));
}
