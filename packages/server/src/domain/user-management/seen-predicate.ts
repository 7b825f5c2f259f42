import { evaluate, type Predicate, type Scalar } from "@security-platform/fql";
import { fqlTables } from "@security-platform/spec";
import type { Viewer } from "./viewer.ts";

/** What tenants filter, sort and aggregate users by. */
export const userFields = fqlTables.users.fields;

/** Fields that list tenants, and the stored field that each is made of. */
export const cidFields: ReadonlyMap<string, string> = new Map([
  ["assigned_cids", "assigned_cids"],
  ["associated_cids", "associated_cids"],
  ["direct_assigned_cids", "direct_assigned_cids"],
  ["non_ancestor_assigned_cids", "assigned_cids"],
  ["temporarily_assigned_cids", "temporarily_assigned_cids"],
]);

export const userTypes = ["internal", "external"] as const;

/** The tenants that a field shows to this viewer. */
export async function cidsShown(field: string, viewer: Viewer): Promise<readonly string[]> {
  const tenants = [...(await viewer.tenants())];
  return field === "non_ancestor_assigned_cids"
    ? tenants.filter((cid) => !viewer.ancestors.has(cid))
    : tenants;
}

type Leaf = Extract<Predicate, { readonly field: string }>;

/** The predicate over `userFields`, as this viewer means it, in terms of what is stored. */
export async function seenPredicate(predicate: Predicate, viewer: Viewer): Promise<Predicate> {
  switch (predicate.kind) {
    case "everything":
    case "nothing":
      return predicate;
    case "and":
    case "or":
      return {
        kind: predicate.kind,
        operands: await Promise.all(
          predicate.operands.map((operand) => seenPredicate(operand, viewer)),
        ),
      };
    case "not":
      return { kind: "not", operand: await seenPredicate(predicate.operand, viewer) };
    default:
      return seenLeaf(predicate, viewer);
  }
}

async function seenLeaf(leaf: Leaf, viewer: Viewer): Promise<Predicate> {
  if (leaf.field === "user_type") return ofTypes(leaf, viewer);
  if (leaf.field === "has_temporary_roles") return withTemporary(leaf, viewer);
  const stored = cidFields.get(leaf.field);
  if (stored === undefined) return leaf;
  const shown = await cidsShown(leaf.field, viewer);
  const found = anyOf(
    stored,
    shown.filter((cid) => holds(leaf, cid)),
  );
  // The home tenant stands in the record itself, whoever sees that.
  return leaf.field === "associated_cids"
    ? { kind: "or", operands: [found, { ...leaf, field: "cid" }] }
    : found;
}

function ofTypes(leaf: Leaf, { family }: Viewer): Predicate {
  const [internal, external] = userTypes.map((type) => holds(leaf, type));
  const own: Predicate = { kind: "equal", field: "family", value: family, fold: false };
  return eitherOf(own, internal === true, external === true);
}

/** Temporary roles in tenants that the viewer is not told of are none. */
async function withTemporary(leaf: Leaf, viewer: Viewer): Promise<Predicate> {
  const stored = "temporarily_assigned_cids";
  const some = anyOf(stored, await cidsShown(stored, viewer));
  return eitherOf(some, holds(leaf, true), holds(leaf, false));
}

/** Records of which `predicate` holds, those of which it does not, both or neither. */
function eitherOf(predicate: Predicate, holding: boolean, others: boolean): Predicate {
  if (holding) return others ? { kind: "everything" } : predicate;
  return others ? { kind: "not", operand: predicate } : { kind: "nothing" };
}

const holds = (leaf: Leaf, value: Scalar): boolean =>
  evaluate(leaf, { [leaf.field]: value }, userFields);

const anyOf = (field: string, values: readonly string[]): Predicate =>
  values.length === 0 ? { kind: "nothing" } : { kind: "any-of", field, values };
