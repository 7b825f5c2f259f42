import { compareCodePoints, FqlSyntaxError, parseSort, type Scalar } from "@security-platform/fql";
import { comparable, type Frame, type Row } from "./frame.ts";
import type { NodePlace, Operator, Step } from "./step.ts";

/** Sorts the rows. The sort is stable, and rows without a value come last. */
export function sortStep({ sort }: Operator<"sort">, input: Step, place: NodePlace): Step | null {
  const compare = readOrder(sort, input.frame, place);
  if (compare === null) return null;
  const step = (most: number): Step => ({
    frame: input.frame,
    async *rows(execution) {
      let keyed: Keyed[] = [];
      for await (const batch of input.rows(execution)) {
        execution.hold(batch.length, place.at);
        for (const row of batch) keyed.push(compare.keyed(row));
        if (keyed.length > 2 * most) {
          execution.release(keyed.length - most);
          keyed = keyed.toSorted(compare.order).slice(0, most);
        }
      }
      const sorted = keyed.toSorted(compare.order).slice(0, most);
      await execution.produced(sorted.length, place.at);
      if (sorted.length > 0) yield sorted.map(({ row }) => row);
    },
  });
  return { ...step(Infinity), first: step };
}

interface Keyed {
  readonly row: Row;
  readonly keys: readonly (Scalar | undefined)[];
}

interface Order {
  readonly keyed: (row: Row) => Keyed;
  readonly order: (left: Keyed, right: Keyed) => number;
}

function readOrder(text: string, frame: Frame, place: NodePlace): Order | null {
  try {
    const keys = parseSort(text, frame.fields);
    const columns = keys.map(({ field }) => frame.place(field) ?? 0);
    const signs = keys.map(({ direction }) => (direction === "asc" ? 1 : -1));
    return {
      keyed: (row) => ({ row, keys: columns.map((column) => comparable(frame, row, column)[0]) }),
      order: (left, right) => {
        for (const [index, sign] of signs.entries()) {
          const difference = compareKeys(left.keys[index], right.keys[index], sign);
          if (difference !== 0) return difference;
        }
        return 0;
      },
    };
  } catch (error) {
    if (!(error instanceof FqlSyntaxError)) throw error;
    return place.report("operator.sort", error.message);
  }
}

function compareKeys(
  left: Scalar | undefined,
  right: Scalar | undefined,
  sign: 1 | -1 | number,
): number {
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined);
  }
  return sign * compareValues(left, right);
}

/** Numbers compare by size, false comes before true, and everything else compares by code points. */
export function compareValues(left: Scalar, right: Scalar): number {
  return typeof left === "string" || typeof right === "string"
    ? compareCodePoints(String(left), String(right))
    : Number(left) - Number(right);
}
