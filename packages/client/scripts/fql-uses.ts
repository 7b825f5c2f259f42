import type { Operation } from "@security-platform/spec";

export type FqlUses = Readonly<Record<string, FqlUse>>;

export interface FqlUse {
  /** `field`: a single field name. */
  readonly use: "filter" | "sort" | "field";
  /** The resource with the fields; null if it depends on the request. */
  readonly resource: string | null;
}

type Declared = NonNullable<Operation["parameters"][number]["fql"]>;

/** Parameters of an operation that contain FQL, by name. */
export function queryUses({ parameters }: Operation): FqlUses {
  return byName(parameters.flatMap(({ name, fql }) => (fql ? [[name, fql, null] as const] : [])));
}

/**
 * Members of an operation's body that contain FQL, by name. A name has one meaning at any depth.
 */
export function bodyUses({ requestBody }: Operation): FqlUses {
  const declared = requestBody?.fql ?? [];
  const ofOperation = declared.find(({ path }) => path === "")?.resource ?? null;
  return byName(
    declared.map((fql) => [fql.path.split(".").at(-1) ?? "", fql, ofOperation] as const),
  );
}

/** Throws if one name has two meanings. */
function byName(named: readonly (readonly [string, Declared, string | null])[]): FqlUses {
  const uses: Record<string, FqlUse> = {};
  for (const [name, declared, ofOperation] of named) {
    // A use on the whole body (empty name) or on any member (`*`) has no member to print.
    if (declared.use === "aggregate" || name === "*") continue;
    const resource = declared.of === "operation" ? ofOperation : (declared.resource ?? null);
    const use: FqlUse = { use: declared.use, resource };
    const previous = (uses[name] ??= use);
    if (previous.use !== use.use || previous.resource !== use.resource) {
      throw new Error(`${name} has two kinds of FQL: ${JSON.stringify([previous, use])}`);
    }
  }
  return uses;
}
