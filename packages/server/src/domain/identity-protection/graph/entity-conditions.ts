import { foldCase, where, type Predicate, type SortKey } from "@security-platform/fql";
import { QueryRefusal } from "./refusal.ts";

type List<Item> = readonly Item[] | null;

/** The conditions of `Query.entities` and `EntityQuery`. Null means absent. */
export interface EntityConditions {
  readonly entityIds?: List<string>;
  readonly types?: List<string>;
  readonly roles?: List<string>;
  readonly primaryDisplayNames?: List<string>;
  readonly primaryDisplayNamePattern?: string | null;
  readonly secondaryDisplayNames?: List<string>;
  readonly secondaryDisplayNamePattern?: string | null;
  readonly riskScoreSeverities?: List<string>;
  readonly archived?: boolean | null;
  readonly enabled?: boolean | null;
  readonly learned?: boolean | null;
  readonly domains?: List<string>;
}

const mostIds = 1_000;
const mostTexts = 100;
const longestPattern = 256;

/** The predicate for entities that meet all conditions. Throws `QueryRefusal` for lists that are too long. */
export function entitiesLike(conditions: EntityConditions): Predicate {
  const operands: Predicate[] = [
    ...anyOf("entityId", conditions.entityIds, "entityIds"),
    ...anyOf("type", conditions.types, "types"),
    ...anyOf("roles", conditions.roles, "roles"),
    // Clients put addresses of hosts and e-mail addresses of users into the name condition.
    ...anyText(
      ["primaryDisplayName", "lastIpAddress"],
      conditions.primaryDisplayNames,
      "primaryDisplayNames",
    ),
    ...patternConditions(
      ["primaryDisplayName"],
      conditions.primaryDisplayNamePattern,
      "primaryDisplayNamePattern",
    ),
    ...anyText(
      ["secondaryDisplayName", "emailAddresses"],
      conditions.secondaryDisplayNames,
      "secondaryDisplayNames",
    ),
    ...patternConditions(
      ["secondaryDisplayName", "emailAddresses"],
      conditions.secondaryDisplayNamePattern,
      "secondaryDisplayNamePattern",
    ),
    ...anyOf("riskScoreSeverity", conditions.riskScoreSeverities, "riskScoreSeverities"),
    ...is("archived", conditions.archived),
    ...is("enabled", conditions.enabled),
    ...is("learned", conditions.learned),
    ...anyText(["domains"], conditions.domains, "domains"),
  ];
  return where.all(...operands);
}

/** Records with one of these values; none if the list is empty. */
export function anyOf(
  field: string,
  values: List<string> | undefined,
  argument: string,
): readonly Predicate[] {
  if (values === undefined || values === null) return [];
  refuseLonger(values, mostIds, argument);
  return [where.anyOf(field, values)];
}

function anyText(
  fields: readonly string[],
  values: List<string> | undefined,
  argument: string,
): readonly Predicate[] {
  if (values === undefined || values === null) return [];
  refuseLonger(values, mostTexts, argument);
  const texts = [...new Set(values.map(foldCase))];
  const named = fields.flatMap((field) => texts.map((text) => where.equalFolded(field, text)));
  return [where.any(...named)];
}

function patternConditions(
  fields: readonly string[],
  pattern: string | null | undefined,
  argument: string,
): readonly Predicate[] {
  if (pattern === undefined || pattern === null) return [];
  if (pattern.length > longestPattern) {
    throw new QueryRefusal(`${argument}: expected at most ${longestPattern} characters`);
  }
  const parts = foldCase(pattern).split("*");
  const [only = ""] = parts;
  const fitting = fields.map((field): Predicate =>
    parts.length === 1
      ? where.equalFolded(field, only)
      : { kind: "glob", field, parts, fold: true },
  );
  return [where.any(...fitting)];
}

const is = (field: string, value: boolean | null | undefined): readonly Predicate[] =>
  value === undefined || value === null ? [] : [where.equal(field, value)];

function refuseLonger(values: readonly unknown[], most: number, argument: string): void {
  if (values.length <= most) return;
  throw new QueryRefusal(`${argument}: expected at most ${most} values, got ${values.length}`);
}

const sortFields = {
  RISK_SCORE: "riskScore",
  PRIMARY_DISPLAY_NAME: "primaryDisplayName",
  SECONDARY_DISPLAY_NAME: "secondaryDisplayName",
  ENTITY_ID: "entityId",
  MOST_RECENT_ACTIVITY: "mostRecentActivity",
} as const;

export interface Order {
  readonly sortKey?: keyof typeof sortFields | null;
  readonly sortOrder?: "ASCENDING" | "DESCENDING" | null;
}

/** Ties are ordered by identifier. */
export function entityOrder({ sortKey, sortOrder }: Order): readonly SortKey[] {
  const field = sortFields[sortKey ?? "ENTITY_ID"];
  const direction = sortOrder === "DESCENDING" ? "desc" : "asc";
  const byId: SortKey = { field: "entityId", direction: "asc" };
  return field === "entityId" ? [{ field, direction }] : [{ field, direction }, byId];
}
