import type { Field } from "@security-platform/fql";
import type { JsonObject } from "../requests/request.ts";

export type Scalar = string | number | boolean;

/** The values of a filter field in a record; empty if it has none. The empty text is a value. */
export function fieldValues(record: JsonObject, name: string, field: Field): readonly Scalar[] {
  if (field.derive !== undefined) {
    if ("count" in field.derive) {
      const list = at(record, field.derive.count.split("."));
      return [Array.isArray(list) ? list.length : 0];
    }
    const { from, map, otherwise } = field.derive;
    return [map[String(at(record, from.split(".")))] ?? otherwise];
  }
  const value = at(record, (field.path ?? name).split("."));
  // The record has the value in another format.
  const isValue = (each: unknown): each is Scalar =>
    typeof each !== "object" && (each !== "" || field.type === "string");
  return [value ?? []].flat().filter(isValue);
}

/** The value at a path; for a list on the path, the values of all its elements. */
function at(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (value === null || typeof value !== "object") return undefined;
  if (Array.isArray(value)) return value.flatMap((element) => at(element, path) ?? []);
  return at((value as JsonObject)[name], rest);
}

/** A value as FQL writes it. */
export const literal = (value: Scalar): string =>
  typeof value === "string"
    ? `'${value.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'`
    : String(value);

/**
 * Values in the order of FQL: numbers by size, instants by time, addresses by number, texts by code
 * point.
 */
export function compareValues(left: Scalar, right: Scalar, field: Field): number {
  if (field.type === "timestamp") return Date.parse(String(left)) - Date.parse(String(right));
  if (field.type === "ip") return compareAddresses(String(left), String(right));
  if (typeof left === "string" && typeof right === "string") {
    const [one, other] = [left, right].map((text) => foldedBy(field, text));
    return compareCodePoints(one ?? "", other ?? "");
  }
  return Number(left) - Number(right);
}

/** IPv4 addresses come before IPv6 addresses. */
function compareAddresses(left: string, right: string): number {
  const [one, other] = [groupsOf(left), groupsOf(right)];
  if (one.length !== other.length) return one.length - other.length;
  const first = one.findIndex((group, index) => group !== other[index]);
  return first === -1 ? 0 : (one[first] ?? 0) - (other[first] ?? 0);
}

/** The four numbers of an IPv4 address, the eight of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  if (!address.includes(":")) return address.split(".").map(Number);
  const [head = [], tail = []] = address
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const missing = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...missing, ...tail].map((group) => Number.parseInt(group, 16));
}

const foldedBy = (field: Field, text: string): string =>
  field.case === "insensitive" ? text.toLowerCase() : text;

/** JavaScript compares UTF-16 code units, which differs beyond the Basic Multilingual Plane. */
function compareCodePoints(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  const first = one.findIndex((point, index) => point !== other[index]);
  if (first === -1) return one.length - other.length;
  return (one[first]?.codePointAt(0) ?? 0) - (other[first]?.codePointAt(0) ?? -1);
}
