import { canonicalInstant } from "@security-platform/fql";
import { suggestion } from "@security-platform/spec/schemas";
import { errors } from "../../foundation/errors.ts";

type Members = Readonly<Record<string, unknown>>;

const refuse = (at: string, message: string): never => {
  throw errors.invalidRequest([{ at, message }]);
};

function refuseUnknown(value: object, known: readonly string[], place: string): void {
  const problems = Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      at: `${place}.${name}`,
      message: `unknown field${suggestion(name, known)}`,
    }));
  if (problems.length > 0) throw errors.invalidRequest(problems);
}

/** The members of a body. Throws 400 for any other value and for unknown members. */
export function membersOf(body: unknown, known: readonly string[]): Members {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return refuse("body", `expected an object with ${known.join(", ")}`);
  }
  refuseUnknown(body, known, "body");
  return body as Members;
}

/** The parameters of a query. Throws 400 for unknown and repeated ones. */
export function queryOf(
  query: unknown,
  known: readonly string[],
): Readonly<Record<string, string | undefined>> {
  const values = query as Members;
  refuseUnknown(values, known, "query");
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string") refuse(`query.${name}`, "given twice");
  }
  return values as Readonly<Record<string, string | undefined>>;
}

export const required = (value: unknown, at: string): unknown =>
  value === undefined ? refuse(at, "is required") : value;

export const text = (value: unknown, at: string): string =>
  typeof value === "string" && value !== "" ? value : refuse(at, "expected a text");

export const boolean = (value: unknown, at: string): boolean | undefined =>
  value === undefined || typeof value === "boolean" ? value : refuse(at, "expected true or false");

/** A whole number, also as a text. */
export function count(value: unknown, at: string, least: number): number {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (Number.isSafeInteger(number) && Number(number) >= least) return Number(number);
  return refuse(at, `expected a whole number from ${least}`);
}

export function instant(value: unknown, at: string): Date | undefined {
  if (value === undefined) return undefined;
  const read = typeof value === "string" ? canonicalInstant(value) : null;
  return read === null
    ? refuse(at, "expected an instant such as 2026-03-01T12:00:00Z")
    : new Date(read);
}
