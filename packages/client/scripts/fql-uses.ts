import type { Operation } from "@security-platform/spec";
import type { FqlUse, FqlUses } from "../src/operation.ts";

type Declared = NonNullable<Operation["parameters"][number]["fql"]>;

/** Parameters of an operation that take FQL, by name. */
export function queryUses({ parameters }: Operation): FqlUses {
  return byName(parameters.flatMap(({ name, fql }) => (fql ? [[name, fql, null] as const] : [])));
}

/** Members of an operation's body that take FQL, by name: at whatever depth, one name means one thing. */
export function bodyUses({ requestBody }: Operation): FqlUses {
  const declared = requestBody?.fql ?? [];
  const ofOperation = declared.find(({ path }) => path === "")?.resource ?? null;
  return byName(
    declared.map((fql) => [fql.path.split(".").at(-1) ?? "", fql, ofOperation] as const),
  );
}

/** Throws when one name takes two different things. */
function byName(named: readonly (readonly [string, Declared, string | null])[]): FqlUses {
  const uses: Record<string, FqlUse> = {};
  for (const [name, declared, ofOperation] of named) {
    // A use of the whole body (no name) or of any member (`*`) has no member to print it at.
    if (declared.use === "aggregate" || name === "*") continue;
    const resource = declared.of === "operation" ? ofOperation : (declared.resource ?? null);
    const use: FqlUse = { use: declared.use, resource };
    const known = (uses[name] ??= use);
    if (known.use !== use.use || known.resource !== use.resource) {
      throw new Error(`${name} takes two kinds of FQL: ${JSON.stringify([known, use])}`);
    }
  }
  return uses;
}
