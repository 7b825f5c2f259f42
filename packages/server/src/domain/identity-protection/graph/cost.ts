import {
  getArgumentValues,
  getNamedType,
  isCompositeType,
  isListType,
  getNullableType,
  isObjectType,
  isInterfaceType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from "graphql";
import { QueryRefusal } from "./refusal.ts";

/** Maximum number of points of a query. */
export const mostPoints = 50_000;
const deepest = 12;
/** Maximum page size, in `first`. */
const longestPage = 1_000;
/** Assumed page size of a list without `first`. */
const usualLength = 10;
const countPoints = 10;

/** Types that represent stored records. */
const records: ReadonlySet<string> = new Set(["Entity", "Incident"]);

interface Weight {
  readonly points: number;
  readonly depth: number;
}

const nothing: Weight = { points: 0, depth: 0 };

/**
 * The cost of a query in points: one, plus one for each record that it may return. Throws `QueryRefusal`
 * for a query that is too deep or too expensive, and for an invalid `first`.
 */
export function costOf(query: ValidatedExecutionArgs): number {
  const { schema, operation } = query;
  const { points, depth } = new Weighing(query).set(operation.selectionSet, schema.getQueryType());
  if (depth > deepest) {
    throw new QueryRefusal(
      `the query is nested ${depth} fields deep; at most ${deepest} are allowed`,
      operation,
    );
  }
  const cost = points + 1;
  if (cost <= mostPoints) return cost;
  throw new QueryRefusal(
    `the query costs ${cost} points; the maximum is ${mostPoints}. Request fewer records with first`,
    operation,
  );
}

class Weighing {
  readonly #query: ValidatedExecutionArgs;
  /** The cost of a fragment is computed once, even if it is used several times. */
  readonly #fragments = new Map<string, Weight>();

  constructor(query: ValidatedExecutionArgs) {
    this.#query = query;
  }

  /** The cost of the selection set of a field of this type. */
  set({ selections }: SelectionSetNode, type: GraphQLNamedType | null | undefined): Weight {
    let points = 0;
    let depth = 0;
    for (const selection of selections) {
      const weight =
        selection.kind === Kind.FIELD
          ? this.#field(selection, type)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? this.#fragment(selection.name.value)
            : this.set(selection.selectionSet, this.#typeOf(selection.typeCondition, type));
      points += weight.points;
      depth = Math.max(depth, weight.depth);
    }
    return { points, depth };
  }

  #typeOf(
    condition: { readonly name: { readonly value: string } } | undefined,
    otherwise: GraphQLNamedType | null | undefined,
  ): GraphQLNamedType | null | undefined {
    return condition === undefined ? otherwise : this.#query.schema.getType(condition.name.value);
  }

  #fragment(name: string): Weight {
    const cachedWeight = this.#fragments.get(name);
    if (cachedWeight !== undefined) return cachedWeight;
    const definition = this.#query.fragmentDefinitions[name];
    const weight =
      definition === undefined
        ? nothing
        : this.set(definition.selectionSet, this.#typeOf(definition.typeCondition, null));
    this.#fragments.set(name, weight);
    return weight;
  }

  #field(node: FieldNode, parent: GraphQLNamedType | null | undefined): Weight {
    const name = node.name.value;
    // Introspection reads no records, and a validation rule limits its depth.
    if (name.startsWith("__")) return nothing;
    const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
    const field = fields[name];
    if (field === undefined) return nothing;
    const type = getNamedType(field.type);
    const inside =
      node.selectionSet === undefined || !isCompositeType(type)
        ? nothing
        : this.set(node.selectionSet, type);
    return { points: this.#points(node, field, inside.points), depth: inside.depth + 1 };
  }

  #points(node: FieldNode, field: GraphQLField<unknown, unknown>, inside: number): number {
    if (field.args.some(({ name }) => name === "first")) {
      return this.#pageLength(node, field) * (1 + inside);
    }
    if (field.name === "countEntities") return countPoints;
    // `first` already accounts for the number of nodes.
    if (field.name === "nodes") return inside;
    const one = records.has(getNamedType(field.type).name) ? 1 + inside : inside;
    return isListType(getNullableType(field.type)) ? usualLength * one : one;
  }

  #pageLength(node: FieldNode, field: GraphQLField<unknown, unknown>): number {
    const { first } = getArgumentValues(field, node, this.#query.variableValues);
    if (typeof first === "number" && first >= 1 && first <= longestPage) return first;
    throw new QueryRefusal(`first: expected 1 to ${longestPage}, got ${String(first)}`, node);
  }
}
