import { suggestion } from "@security-platform/spec/schemas";
import { severities } from "../advisories/severity.ts";
import type { ImagePolicy, ImagePolicyCondition } from "./image-policies.ts";
import { matchesPattern } from "./pattern.ts";

type Property = ImagePolicyCondition["property"];
type Operator = ImagePolicyCondition["operator"];

/** A problem of a policy and its member: `rules[0].policy_rules_data.conditions[1].values[0]`. */
export interface PolicyProblem {
  readonly at: string;
  readonly message: string;
}

/** The comparisons that a property supports. */
interface Rule {
  readonly operators: readonly Operator[];
  /** All possible values, if there are few. */
  readonly values?: readonly string[];
  /** Why a value cannot be compared with the property; undefined if it can. */
  readonly problem?: (value: string) => string | undefined;
  /** Why a pattern can match no value of the property; undefined if it can. */
  readonly patternProblem?: (pattern: string) => string | undefined;
}

const name: Rule = { operators: ["any_of", "matches"] };

const rules: Readonly<Record<Property, Rule>> = {
  severity: { operators: ["any_of", "at_least", "matches"], values: severities },
  cvss_score: {
    operators: ["any_of", "at_least"],
    problem: (value) =>
      /^\d{1,2}(?:\.\d+)?$/.test(value) && Number(value) <= 10
        ? undefined
        : "expected a number from 0 to 10 such as 7.5",
  },
  cve_id: {
    ...name,
    problem: (value) =>
      !/^CVE/i.test(value) || /^CVE-\d{4}-\d{4,19}$/i.test(value)
        ? undefined
        : "expected an identifier such as CVE-2021-44228",
    patternProblem: (pattern) =>
      (/^CVE/i.test(pattern) ? /^CVE[-\d*]*$/i : /^[\w:.*-]+$/).test(pattern)
        ? undefined
        : "expected a pattern such as CVE-2021-*, in which * stands for any text",
  },
  detection_type: {
    operators: ["any_of", "matches"],
    values: ["malware", "secret", "misconfiguration", "cis"],
  },
  package_name: name,
  fix_available: { operators: ["any_of", "matches"], values: ["true", "false"] },
  registry: name,
  repository: name,
  tag: name,
};

/** Properties of the image itself; all others are properties of its findings. */
export const imageProperties = ["registry", "repository", "tag"] as const;
const imagePropertyNames = new Set<string>(imageProperties);

/**
 * The problems of a condition that could never be met as its author expects. `at`: its place.
 * `isInGroup`: whether it selects images.
 */
export function conditionProblems(
  { property, operator, values }: ImagePolicyCondition,
  at: string,
  isInGroup: boolean,
): readonly PolicyProblem[] {
  const rule: Rule | undefined = rules[property];
  if (rule === undefined) {
    const properties = Object.keys(rules);
    return [{ at: `${at}.property`, message: unknownValue(property, properties) }];
  }
  if (isInGroup && !imagePropertyNames.has(property)) {
    const message = `${property} is a property of findings; a group selects images by ${imageProperties.join(", ")}`;
    return [{ at: `${at}.property`, message }];
  }
  if (!rule.operators.includes(operator)) {
    const message = `${property} cannot be compared with ${operator}; expected ${rule.operators.join(" or ")}`;
    return [{ at: `${at}.operator`, message }];
  }
  return values.flatMap((value, index) => {
    const message = valueProblem(rule, operator, value);
    return message === undefined ? [] : [{ at: `${at}.values[${index}]`, message }];
  });
}

function valueProblem(rule: Rule, operator: Operator, value: string): string | undefined {
  if (value.trim() === "") return "is empty; expected a value to compare with";
  const { values, problem, patternProblem } = rule;
  const lower = value.toLowerCase();
  if (operator === "matches") {
    const isPossible = values?.some((each) => matchesPattern(lower, each)) ?? true;
    return isPossible ? got(patternProblem?.(value), value) : unknownValue(value, values ?? []);
  }
  if (values !== undefined) return values.includes(lower) ? undefined : unknownValue(value, values);
  if (value.includes("*") && rule.operators.includes("matches")) {
    return `${JSON.stringify(value)} is a pattern; only the operator matches supports patterns`;
  }
  return got(problem?.(value), value);
}

const got = (message: string | undefined, value: string): string | undefined =>
  message === undefined ? undefined : `${message}, got ${JSON.stringify(value)}`;

const unknownValue = (value: string, allowedValues: readonly string[]): string =>
  `expected one of ${allowedValues.join(", ")}, got ${JSON.stringify(value)}${suggestion(value, allowedValues)}`;

/** All problems of the conditions of a policy. */
export function policyProblems(data: {
  readonly groups?: readonly Pick<Data["groups"][number], "policy_group_data">[];
  readonly rules?: Data["rules"];
}): readonly PolicyProblem[] {
  const { groups = [], rules: ruleList = [] } = data;
  const all = (
    conditions: readonly ImagePolicyCondition[] | undefined,
    at: string,
    isInGroup: boolean,
  ): readonly PolicyProblem[] =>
    (conditions ?? []).flatMap((each, index) =>
      conditionProblems(each, `${at}.conditions[${index}]`, isInGroup),
    );
  return [
    ...groups.flatMap(({ policy_group_data }, index) =>
      all(policy_group_data?.conditions, `groups[${index}].policy_group_data`, true),
    ),
    ...ruleList.flatMap(({ policy_rules_data }, index) =>
      all(policy_rules_data?.conditions, `rules[${index}].policy_rules_data`, false),
    ),
  ];
}

type Data = NonNullable<ImagePolicy["policy_data"]>;
