import type { FieldType, Scalar } from "@security-platform/fql";
import { comparable, Frame, type Column, type Row } from "./frame.ts";
import { compareValues } from "./sort.ts";
import type { NodePlace, Operator, Step } from "./step.ts";

type Group = Operator<"group">;
type Measure = Group["measures"][number];

/** Computes a measure over the rows of one group. */
interface Accumulator {
  add(row: Row): void;
  value(): unknown;
}

interface ReadMeasure {
  readonly column: Column;
  readonly start: () => Accumulator;
}

/** Groups rows: one row for each distinct value of `by`, with that value and the measures. */
export function groupStep(operator: Group, input: Step, place: NodePlace): Step | null {
  const { frame } = input;
  const by = operator.by.map((name, index) => place.column(frame, name, `operator.by[${index}]`));
  const measures = operator.measures.map((measure, index) =>
    readMeasure(measure, frame, place, `operator.measures[${index}]`),
  );
  const keys = by.filter((column) => column !== null);
  const valid = measures.filter((measure) => measure !== null);
  if (keys.length < by.length || valid.length < measures.length) return null;
  const columns = [
    ...keys.flatMap((column) => frame.columns[column] ?? []),
    ...valid.map(({ column }) => column),
  ];
  if (!distinctNames(columns, place)) return null;
  return {
    frame: new Frame(columns),
    async *rows(execution) {
      const groups = new Map<string, { values: Row; accumulators: readonly Accumulator[] }>();
      const open = (key: string, values: Row) => {
        execution.hold(1, place.at);
        const group = { values, accumulators: valid.map(({ start }) => start()) };
        groups.set(key, group);
        return group;
      };
      if (keys.length === 0) open("[]", []);
      for await (const batch of input.rows(execution)) {
        for (const row of batch) {
          const values = keys.map((column) => row[column] ?? null);
          const key = JSON.stringify(values);
          const group = groups.get(key) ?? open(key, values);
          for (const accumulator of group.accumulators) accumulator.add(row);
        }
      }
      await execution.produced(groups.size, place.at);
      yield [...groups.values()].map(({ values, accumulators }) => [
        ...values,
        ...accumulators.map((accumulator) => accumulator.value()),
      ]);
    },
  };
}

function distinctNames(columns: readonly Column[], place: NodePlace): boolean {
  const names = columns.map(({ name }) => name);
  const second = names.find((name, index) => names.indexOf(name) !== index);
  if (second === undefined) return true;
  place.report("operator.measures", `a second column named ${second}`);
  return false;
}

/** The types that each function accepts. */
const takes: Readonly<Record<Measure["function"], readonly FieldType[]>> = {
  count: ["string", "number", "boolean", "timestamp", "ip"],
  min: ["string", "number", "timestamp", "ip"],
  max: ["string", "number", "timestamp", "ip"],
  avg: ["number"],
  sum: ["number"],
};

function readMeasure(
  measure: Measure,
  frame: Frame,
  place: NodePlace,
  member: string,
): ReadMeasure | null {
  const { function: name, field, as } = measure;
  const number = { name: as, field: { type: "number" } } as const;
  if (field === undefined) {
    if (name === "count") return { column: number, start: () => counter(() => true) };
    return place.report(member, `${name} requires a field`);
  }
  const at = place.column(frame, field, `${member}.field`);
  const column = at === null ? undefined : frame.columns[at];
  if (at === null || column === undefined) return null;
  const { type, array } = column.field;
  if (!takes[name].includes(type) || (array === true && name !== "count")) {
    const kind = array === true ? `a list of type ${type}` : `of type ${type}`;
    return place.report(`${member}.field`, `${name} does not support ${field}, which is ${kind}`);
  }
  const read = (row: Row): Scalar | undefined => comparable(frame, row, at)[0];
  switch (name) {
    case "count":
      return { column: number, start: () => counter((row) => read(row) !== undefined) };
    case "avg":
    case "sum":
      return { column: number, start: () => summer(read, name === "avg") };
    case "min":
    case "max":
      return {
        column: { name: as, field: column.field },
        start: () => extreme(read, (row) => row[at], name === "min" ? -1 : 1),
      };
  }
}

function counter(counts: (row: Row) => boolean): Accumulator {
  let count = 0;
  return {
    add: (row) => {
      if (counts(row)) count += 1;
    },
    value: () => count,
  };
}

function summer(read: (row: Row) => Scalar | undefined, average: boolean): Accumulator {
  let count = 0;
  let sum = 0;
  return {
    add: (row) => {
      const value = read(row);
      if (value === undefined) return;
      count += 1;
      sum += Number(value);
    },
    value: () => (count === 0 ? null : average ? sum / count : sum),
  };
}

function extreme(
  read: (row: Row) => Scalar | undefined,
  served: (row: Row) => unknown,
  sign: 1 | -1,
): Accumulator {
  let best: Scalar | undefined;
  let value: unknown = null;
  return {
    add: (row) => {
      const candidate = read(row);
      if (candidate === undefined) return;
      if (best !== undefined && sign * compareValues(candidate, best) <= 0) return;
      best = candidate;
      value = served(row);
    },
    value: () => value,
  };
}
