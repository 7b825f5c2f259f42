import type { Condition, Filter } from "./ast.ts";
import { noLimits } from "./limits.ts";
import { parseFilter } from "./parser.ts";
import { printFilter } from "./print.ts";
import { setSource, sourceOf, type Place, type Source } from "./source.ts";
import { errorAt, type Advice, type FqlSyntaxError } from "./syntax-error.ts";
import { conditionsOf } from "./visit.ts";

/** A part of a condition: its field, its operator, or one of its values by index. */
export type Part = "field" | "operator" | number;

/** Creates an error at a part of a condition of `filter`. */
export function errorIn(
  filter: Filter,
  condition: Condition,
  part: Part,
  reason: string,
  advice: Advice = {},
): FqlSyntaxError {
  const { text, places } = findSource(filter);
  const place = places[conditionsOf(filter).indexOf(condition)];
  return errorAt(text, place === undefined ? 0 : offsetOf(place, part), reason, advice);
}

/** The source of a filter. For a filter that was built in code, it is the printed text. */
function findSource(filter: Filter): Source {
  const parsed = sourceOf(filter) ?? sourceOf(parseFilter(printFilter(filter), noLimits));
  const source = parsed ?? { text: "", places: [] };
  setSource(filter, source);
  return source;
}

function offsetOf({ start, operator, values }: Place, part: Part): number {
  if (part === "field") return start;
  return part === "operator" ? operator : (values[part] ?? start);
}
