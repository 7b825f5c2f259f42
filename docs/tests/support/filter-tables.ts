import type { IndicatorReader } from "./indicators.ts";
import { codeIn, type Row } from "./tables.ts";

/** Selects the indicators that the filters guide creates. */
const among = "source:'four'";

/**
 * The first row that is not true, as a sentence; null if all rows are true. Columns: `Filter` is accepted
 * and matches `Finds`, `Sort` results in the order `Order`, `Refused filter` is rejected.
 */
export async function untrueRow(
  rows: readonly Row[],
  reader: IndicatorReader,
): Promise<string | null> {
  for (const row of rows) {
    const reason =
      (await untrueFilter(row, reader)) ??
      (await untrueSort(row, reader)) ??
      (await untrueRefusal(row, reader));
    if (reason !== null) return `line ${row.line}: ${reason}`;
  }
  return null;
}

async function untrueFilter(row: Row, reader: IndicatorReader): Promise<string | null> {
  const { Filter: cell, Finds: finds } = row;
  if (cell === undefined) return null;
  const filters = cell === "" && finds !== undefined ? [""] : codeIn(cell);
  for (const filter of filters) {
    const result = await reader.find({
      filter: filter === "" ? among : `${among}+(${filter})`,
      sort: "created_on",
    });
    if (!("names" in result)) return `${filter} is rejected: ${result.messages.join("; ")}`;
    if (finds === undefined) continue;
    const names = result.names.toSorted().join(", ");
    if (names !== namesIn(finds).toSorted().join(", "))
      return `${filter} matches ${names || "nothing"}`;
  }
  return null;
}

async function untrueSort(
  { Sort: cell, Order: order }: Row,
  reader: IndicatorReader,
): Promise<string | null> {
  if (cell === undefined || order === undefined) return null;
  const [sort = ""] = codeIn(cell);
  const result = await reader.find({ filter: among, sort });
  if (!("names" in result)) return `${sort} is rejected: ${result.messages.join("; ")}`;
  const expected = namesIn(order);
  const names = result.names.slice(0, expected.length);
  return names.join() === expected.join()
    ? null
    : `${sort} gives the order ${result.names.join(", ")}`;
}

async function untrueRefusal(row: Row, reader: IndicatorReader): Promise<string | null> {
  for (const filter of codeIn(row["Refused filter"] ?? "")) {
    const result = await reader.find({ filter });
    if ("names" in result) return `${filter} is not rejected`;
    const [message = ""] = result.messages;
    if (result.status !== 400 || !message.startsWith("Invalid filter expression supplied")) {
      return `${filter} has the status ${result.status}: ${message}`;
    }
  }
  return null;
}

/** The names in `one, two, …`; `nothing` is the empty list. */
const namesIn = (cell: string): readonly string[] =>
  cell.split(", ").filter((name) => name !== "nothing" && name !== "…");
