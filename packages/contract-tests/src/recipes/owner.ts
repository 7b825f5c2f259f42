import type { RequestParts } from "../requests/request.ts";

const prefix = "the id of one of ";

/**
 * A placeholder in a body for the id of an owner record of this kind. The run creates one owner in
 * each tenant.
 */
export const ownerId = (resource: string): string => prefix + resource;

type Members = Readonly<Record<string, unknown>>;

/** The placeholders for owners in the body, each with the kind of the owner. */
export function ownersIn({
  body,
}: Pick<RequestParts, "body">): readonly (readonly [member: string, resource: string])[] {
  if (body === null || typeof body !== "object" || Array.isArray(body)) return [];
  return Object.entries(body as Members).flatMap(([member, value]) =>
    typeof value === "string" && value.startsWith(prefix)
      ? [[member, value.slice(prefix.length)] as const]
      : [],
  );
}

/** The request with ids instead of owner placeholders. */
export const withOwners = <Parts extends Partial<RequestParts>>(
  parts: Parts,
  ids: Readonly<Record<string, string>>,
): Parts => ({ ...parts, body: { ...(parts.body as Members), ...ids } });
