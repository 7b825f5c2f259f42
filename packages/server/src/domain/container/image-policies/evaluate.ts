import type { components } from "@security-platform/spec";
import { severities, type Severity } from "../advisories/severity.ts";
import type { ImageVulnerability } from "../advisories/match.ts";
import type { ImageDetection } from "../scans/detection.ts";
import type { ImageReport, Scan } from "../scans/scans.ts";
import {
  imagePolicyConfig,
  implicitPolicy,
  type ImagePolicy,
  type ImagePolicyCondition,
  type ImagePolicyGroup,
} from "./image-policies.ts";

type Result = components["schemas"]["PolicyCheckResult"];
type Rule = NonNullable<ImagePolicy["policy_data"]>["rules"][number];
type Evaluation = components["schemas"]["ImagePolicyEvaluation"];

/** The findings that met the conditions of a rule. */
interface Matched {
  readonly vulnerabilities: readonly ImageVulnerability[];
  readonly detections: readonly ImageDetection[];
}

/** Decides whether an image may be deployed. `policies` are enabled, in the order of precedence. */
export function evaluatePolicies(
  policies: readonly ImagePolicy[],
  scan: Scan,
  report: ImageReport,
  now: Date,
): Result {
  for (const policy of policies) {
    const { groups = [], rules = [] } = policy.policy_data ?? {};
    const group = groups.find(({ policy_group_data }) =>
      (policy_group_data?.conditions ?? []).every((condition) => holdsForImage(condition, scan)),
    );
    if (groups.length > 0 && group === undefined) continue;
    for (const rule of rules) {
      const matched = matchRule(rule, scan, report);
      if (matched !== null) return resultOf(policy, { group, rule, matched }, scan, now);
    }
    return resultOf(policy, { group }, scan, now);
  }
  return resultOf(implicitPolicy(now), {}, scan, now);
}

function resultOf(
  policy: ImagePolicy,
  {
    group,
    rule,
    matched = { vulnerabilities: [], detections: [] },
  }: {
    readonly group?: ImagePolicyGroup | undefined;
    readonly rule?: Rule;
    readonly matched?: Matched;
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

function detailsOf({ vulnerabilities, detections }: Matched): Evaluation {
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
const ofImage = new Set<string>(["registry", "repository", "tag"]);
const ofDetections = new Set<string>(["severity", "detection_type"]);

/**
 * The findings that meet all conditions of a rule, or null if the rule is not true. One
 * vulnerability or detection must meet all conditions on findings together.
 */
function matchRule(rule: Rule, scan: Scan, report: ImageReport): Matched | null {
  const conditions = rule.policy_rules_data?.conditions ?? [];
  const image = conditions.filter(({ property }) => ofImage.has(property));
  if (!image.every((condition) => holdsForImage(condition, scan))) return null;
  const findings = conditions.filter(({ property }) => !ofImage.has(property));
  if (findings.length === 0) return { vulnerabilities: [], detections: [] };
  const aboutDetections = findings.every(({ property }) => ofDetections.has(property));
  const vulnerabilities = (report.Vulnerabilities ?? [])
    .map(({ Vulnerability }) => Vulnerability)
    .filter((each) => findings.every((condition) => holdsForVulnerability(condition, each)));
  const detections = !aboutDetections
    ? []
    : (report.Detections ?? [])
        .map(({ Detection }) => Detection)
        .filter((each) => findings.every((condition) => holdsForDetection(condition, each)));
  return vulnerabilities.length + detections.length > 0 ? { vulnerabilities, detections } : null;
}

function holdsForImage(condition: ImagePolicyCondition, scan: Scan): boolean {
  const { property } = condition;
  if (property !== "registry" && property !== "repository" && property !== "tag") return false;
  return holdsForText(condition, scan[property]);
}

function holdsForVulnerability(condition: ImagePolicyCondition, each: ImageVulnerability): boolean {
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

function holdsForDetection(condition: ImagePolicyCondition, each: ImageDetection): boolean {
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
  if (operator === "at_least") return values.some((value) => lower >= value.toLowerCase());
  return values.some((value) => matchesPattern(value.toLowerCase(), lower));
}

/** `*` stands for any text. Linear in the length of the text for each `*`. */
function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? "";
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
