import type { IndicatorReader } from "./indicators.ts";
import { codeIn, type Row } from "./tables.ts";

/** What the indicators that the filters guide creates have in common. */
const among = "source:'four'";

/**
 * The first row that is not true, as a sentence; null when all are. Columns: `Filter` is accepted and
 * finds what `Finds` says, `Sort` puts them in the order of `Order`, `Refused filter` is refused.
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
    const found = await reader.find({
      filter: filter === "" ? among : `${among}+(${filter})`,
      sort: "created_on",
    });
    if (!("names" in found)) return `${filter} is refused: ${found.messages.join("; ")}`;
    if (finds === undefined) continue;
    const names = found.names.toSorted().join(", ");
    if (names !== namesIn(finds).toSorted().join(", "))
      return `${filter} finds ${names || "nothing"}`;
  }
  return null;
}

async function untrueSort(
  { Sort: cell, Order: order }: Row,
  reader: IndicatorReader,
): Promise<string | null> {
  if (cell === undefined || order === undefined) return null;
  const [sort = ""] = codeIn(cell);
  const found = await reader.find({ filter: among, sort });
  if (!("names" in found)) return `${sort} is refused: ${found.messages.join("; ")}`;
  const shown = namesIn(order);
  const names = found.names.slice(0, shown.length);
  return names.join() === shown.join() ? null : `${sort} puts them ${found.names.join(", ")}`;
}

async function untrueRefusal(row: Row, reader: IndicatorReader): Promise<string | null> {
  for (const filter of codeIn(row["Refused filter"] ?? "")) {
    const found = await reader.find({ filter });
    if ("names" in found) return `${filter} is not refused`;
    const [message = ""] = found.messages;
    if (found.status !== 400 || !message.startsWith("Invalid filter expression supplied")) {
      return `${filter} is answered ${found.status}: ${message}`;
    }
  }
  return null;
}

/** `one, two, …` without the ellipsis; `nothing` is none. */
const namesIn = (cell: string): readonly string[] =>
  cell.split(", ").filter((name) => name !== "nothing" && name !== "…");
