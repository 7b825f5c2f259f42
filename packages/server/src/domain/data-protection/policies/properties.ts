import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../../../foundation/errors.ts";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import { ownJustifications, propertyRules, type Finding } from "./property-rules.ts";
import {
  propertiesOf,
  type PropertiesInput,
  type Platform,
  type Properties,
  type PropertyName,
} from "./property-table.ts";

/**
 * Applies changes to properties, or returns every problem of the changes and of the result. Null keeps a
 * list. `at`: the place of the changes in the request.
 */
export function changedProperties(
  platform: Platform,
  before: Properties,
  input: PropertiesInput,
  at: string,
): { readonly properties: Properties } | { readonly problems: readonly Problem[] } {
  const named = new Map(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== null),
  ) as ReadonlyMap<PropertyName, unknown>;
  const unsupported = (Object.keys(input) as PropertyName[]).filter(
    (name) => !propertiesOf(platform).some((property) => property.name === name),
  );
  if (unsupported.length > 0) {
    const problems = unsupported.map((name) => ({
      at: `${at}.${name}`,
      message: `${name} is not a field of Data Protection ${platform} policy`,
    }));
    return { problems };
  }
  const properties = withJustificationIds(merged(platform, before, named));
  const findings = [
    ...requirementFindings(platform, properties, named),
    ...propertyRules.flatMap((rule) => rule(properties, platform)),
  ];
  if (findings.length === 0) return { properties };
  return { problems: findings.map((finding) => located(finding, named, at)) };
}

/** Gives ids to justifications that have none; the id of a built-in justification is its text. */
function withJustificationIds(properties: Properties): Properties {
  const { euj_dropdown_options: options } = properties;
  if (options === undefined) return properties;
  const justifications = options.justifications.map((option, index) => ({
    ...option,
    id: option.id || (ownJustifications[index] ?? newIdentifier()),
  }));
  return { ...properties, euj_dropdown_options: { ...options, justifications } };
}

/** The merged properties, with ordered members. */
function merged(
  platform: Platform,
  before: Properties,
  named: ReadonlyMap<PropertyName, unknown>,
): Properties {
  const entries = propertiesOf(platform).flatMap(({ name }) => {
    const value = named.has(name) ? named.get(name) : before[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries) as unknown as Properties;
}

/**
 * Problems of properties that differ from their defaults although a property that they require has another
 * value. Each problem has the place of one of the two in the request.
 */
const requirementFindings = (
  platform: Platform,
  properties: Properties,
  named: ReadonlyMap<PropertyName, unknown>,
): readonly Finding[] =>
  propertiesOf(platform).flatMap((property): readonly Finding[] => {
    const { name, requires, default: standard } = property;
    if (requires === undefined || isDeepStrictEqual(properties[name], standard)) return [];
    if (properties[requires.name] === requires.value) return [];
    const [least, needed] = [JSON.stringify(standard), JSON.stringify(requires.value)];
    return named.has(name)
      ? [
          {
            names: [name],
            message: `can differ from ${least} only with ${requires.name} ${needed}; send that as well`,
          },
        ]
      : [
          {
            names: [requires.name],
            message: `must stay ${needed} while ${name} differs from ${least}; set ${name} back as well`,
          },
        ];
  });

const located = (
  { names, inside = "", message }: Finding,
  named: ReadonlyMap<PropertyName, unknown>,
  at: string,
): Problem => ({
  at: `${at}.${names.find((name) => named.has(name)) ?? names[0]}${inside}`,
  message,
});
