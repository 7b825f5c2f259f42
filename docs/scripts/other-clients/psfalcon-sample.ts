import type { Operation } from "@security-platform/spec";
import { sampleInput } from "../reference/sample-input.ts";
import { otherCalls, type PSFalconParameter } from "./calls.ts";

/**
 * A PowerShell script that calls the operation by PSFalcon. Null if PSFalcon does not have it, or if the sample
 * has a value without a parameter.
 */
export function psfalconSample(operation: Operation): string | null {
  const { psfalcon } = otherCalls(operation.id);
  if (psfalcon === undefined) return null;
  const { query, path, headers, body } = sampleInput(operation);
  // PSFalcon accepts only the orders of a list, which is shorter than that of the document.
  const { sort: _, ...unsorted } = query;
  const values = { ...path, ...unsorted, ...headers };
  const [words] = bodiesOf(body?.value).flatMap((members) => {
    const options = wordsOf({ ...values, ...members }, psfalcon.parameters);
    return options === null ? [] : [options];
  });
  if (words === undefined) return null;
  const command = [psfalcon.command, ...words];
  const flat = command.join(" ");
  return [
    "Import-Module PSFalcon",
    "Request-FalconToken -ClientId $env:CLIENT_ID -ClientSecret $env:CLIENT_SECRET",
    flat.length <= 88 ? flat : command.join(" `\n  "),
  ].join("\n");
}

type Members = Readonly<Record<string, unknown>>;

/** The body as PSFalcon may take it: its members, or those of its only record. */
function bodiesOf(body: unknown): readonly Members[] {
  if (body === undefined) return [{}];
  if (!isObject(body)) return [];
  const flat = Object.entries(body).reduce<Members>((members, [name, value]) => {
    const [only, ...rest] = Array.isArray(value) ? (value as readonly unknown[]) : [];
    return rest.length === 0 && isObject(only)
      ? { ...members, ...only }
      : { ...members, [name]: value };
  }, {});
  return [body, flat];
}

function wordsOf(
  values: Members,
  parameters: readonly PSFalconParameter[],
): readonly string[] | null {
  const missing = new Set(parameters.filter(({ mandatory }) => mandatory === true));
  const words: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const parameter = parameters.find((each) =>
      [each.name, ...(each.aliases ?? [])].some((known) => letters(known) === letters(name)),
    );
    if (parameter === undefined || !allows(parameter, value)) return null;
    const source = literal(value, parameter.type);
    if (source === null) return null;
    missing.delete(parameter);
    words.push(`-${parameter.name} ${source}`);
  }
  const switches = [...missing].filter(({ type }) => type === "switch");
  if (switches.length < missing.size) return null;
  return [...words, ...switches.map(({ name }) => `-${name}`)];
}

const allows = ({ values }: PSFalconParameter, value: unknown): boolean =>
  values === undefined || [value].flat().every((each) => values.includes(String(each)));

/** Null for a value that the type cannot have. */
function literal(value: unknown, type: string): string | null {
  const itemType = type.replace("[]", "");
  if (Array.isArray(value)) {
    if (itemType === type) return null;
    const items = value.map((item) => literal(item, itemType));
    return items.length === 0 || items.includes(null) ? null : items.join(", ");
  }
  if (typeof value === "boolean") return itemType.startsWith("bool") ? `$${String(value)}` : null;
  if (typeof value === "number")
    return itemType === "string" || itemType.startsWith("int") ? String(value) : null;
  if (typeof value === "string" && itemType === "string") return `'${value.replaceAll("'", "''")}'`;
  return itemType === "object" ? objectLiteral(value) : null;
}

function objectLiteral(value: unknown): string | null {
  if (Array.isArray(value)) {
    const items = value.map(objectLiteral);
    return items.includes(null) ? null : `@(${items.join(", ")})`;
  }
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === "boolean") return `$${String(value)}`;
  if (!isObject(value)) return value === null ? "$null" : String(value);
  const members = Object.entries(value).map(([name, item]) => `${name} = ${objectLiteral(item)}`);
  return `@{ ${members.join("; ")} }`;
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
