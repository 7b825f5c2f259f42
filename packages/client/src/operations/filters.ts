import { fql, type Fields, type FilterBuilder } from "@security-platform/fql";

/** A builder for each resource; the generated modules give them the types of the resource's fields. */
export const filterBuilders = <Builders>(
  resources: readonly (keyof Builders & string)[],
): Builders =>
  Object.fromEntries(
    resources.map((name): [string, FilterBuilder<Fields>] => [name, fql()]),
  ) as Builders;
