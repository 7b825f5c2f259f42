/** The items of all batches, such as those of a scan. */
export async function allOf<Item>(
  batches: AsyncIterable<readonly Item[]>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}
