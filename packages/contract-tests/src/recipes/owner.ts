import type { RequestParts } from "../requests/request.ts";

const prefix = "the id of one of ";

/**
 * Stands in a body for the id of a record of this kind, which new records belong to. The run creates one
 * in each tenant.
 */
export const ownerId = (resource: string): string => prefix + resource;

type Members = Readonly<Record<string, unknown>>;

/** The members of the body that stand for an owner, each with the owner's kind. */
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

/** The request with ids in place of what stands for owners. */
export const withOwners = <Parts extends Partial<RequestParts>>(
  parts: Parts,
  ids: Readonly<Record<string, string>>,
): Parts => ({ ...parts, body: { ...(parts.body as Members), ...ids } });
