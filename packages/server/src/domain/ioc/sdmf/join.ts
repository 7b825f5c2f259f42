import { foldCase, type Field } from "@security-platform/fql";
import { comparable, Frame, type Column, type Row } from "./frame.ts";
import type { NodePlace, Operator, Step } from "./step.ts";

interface Side {
  readonly step: Step;
  readonly place: NodePlace;
}

/** The key values of a row as texts. Equal values have equal texts. */
type ReadKey = (row: Row) => readonly string[];

interface Key {
  readonly left: ReadKey;
  readonly right: ReadKey;
}

/** Combines each left row with each right row that has the same keys. */
export function joinStep(
  { on, kind = "inner" }: Operator<"join">,
  left: Side,
  right: Side,
  place: NodePlace,
): Step | null {
  const read = on.map((pair, index) =>
    readKey(pair, left.step.frame, right.step.frame, place, `operator.on[${index}]`),
  );
  const keys = read.filter((key) => key !== null);
  const columns = joinedColumns(left, right, place);
  const [first, ...others] = keys;
  if (keys.length < read.length || columns === null || first === undefined) return null;
  const nulls: Row = right.step.frame.columns.map(() => null);
  return {
    frame: new Frame(columns),
    async *rows(execution) {
      const all = await execution.collect(right.step.rows(execution), place.at);
      const index = indexBy(first.right, all);
      const partners = (row: Row): readonly Row[] => {
        const matches = new Set(first.left(row).flatMap((key) => index.get(key) ?? []));
        return [...matches]
          .toSorted((one, other) => one - other)
          .flatMap((at) => (all[at] === undefined ? [] : [all[at]]))
          .filter((partner) => others.every((key) => agree(key, row, partner)));
      };
      for await (const batch of left.step.rows(execution)) {
        for (const row of batch) {
          const matches = partners(row);
          const isKept = matches.length > 0 || kind !== "inner";
          await execution.produced(isKept ? Math.max(1, matches.length) : 0, place.at);
          if (isKept)
            yield (matches.length === 0 ? [nulls] : matches).map((match) => [...row, ...match]);
        }
      }
    },
  };
}

/** Indexes of the rows by key value. */
function indexBy(read: ReadKey, rows: readonly Row[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    for (const key of new Set(read(row))) {
      const indexes = index.get(key);
      if (indexes === undefined) index.set(key, [at]);
      else indexes.push(at);
    }
  }
  return index;
}

const agree = ({ left, right }: Key, row: Row, partner: Row): boolean => {
  const values = right(partner);
  return left(row).some((value) => values.includes(value));
};

function readKey(
  pair: Operator<"join">["on"][number],
  left: Frame,
  right: Frame,
  place: NodePlace,
  member: string,
): Key | null {
  const from = place.column(left, pair.left, `${member}.left`);
  const to = place.column(right, pair.right, `${member}.right`);
  const one = from === null ? undefined : left.columns[from]?.field;
  const other = to === null ? undefined : right.columns[to]?.field;
  if (from === null || to === null || one === undefined || other === undefined) return null;
  if (kindOf(one) !== kindOf(other)) {
    return place.report(
      member,
      `${pair.left} is of type ${one.type} and ${pair.right} of type ${other.type}, so they are never equal`,
    );
  }
  const folded = one.case === "insensitive" || other.case === "insensitive";
  return { left: keyReader(left, from, folded), right: keyReader(right, to, folded) };
}

/**
 * Texts and addresses are comparable, because the value of an indicator is a hash, a domain or an address.
 */
const kindOf = ({ type }: Field) => (type === "ip" ? "string" : type);

function keyReader(frame: Frame, column: number, folded: boolean): ReadKey {
  const type = frame.columns[column]?.field.type;
  if (type !== "string" && type !== "ip") {
    return (row) => comparable(frame, row, column).map(String);
  }
  return (row) => {
    const value = row[column];
    const texts = (Array.isArray(value) ? value : [value]).filter(
      (element): element is string => typeof element === "string",
    );
    return folded ? texts.map(foldCase) : texts;
  };
}

/** The columns of both sides. Columns with the same name get the alias of their node as a prefix. */
function joinedColumns(left: Side, right: Side, place: NodePlace): readonly Column[] | null {
  const named = (side: Side, other: Side): readonly Column[] =>
    side.step.frame.columns.map(({ name, field }) =>
      other.step.frame.place(name) === undefined
        ? { name, field }
        : { name: `${side.place.alias}.${name}`, field },
    );
  const columns = [...named(left, right), ...named(right, left)];
  const names = new Set<string>();
  for (const { name } of columns) {
    if (names.has(name)) {
      return place.report(
        "operator",
        `two columns would be named ${name}; give ${left.place.node.id} or ${right.place.node.id} another alias`,
      );
    }
    names.add(name);
  }
  return columns;
}
