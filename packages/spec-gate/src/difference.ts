/** The entries of a set that others do not have. `Set` in Node.js 20 has no `difference`. */
export const difference = <Item>(
  items: ReadonlySet<Item>,
  ...others: readonly ReadonlySet<Item>[]
): readonly Item[] => [...items].filter((item) => !others.some((other) => other.has(item)));
