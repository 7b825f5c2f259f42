import { fieldValues, type Field, type Fields, type Predicate } from "@security-platform/fql";
import { executions } from "../executions.ts";
import { indicators } from "../indicators.ts";
import type { SourceName } from "./execution.ts";
import { Frame, type Row } from "./frame.ts";
import type { NodePlace, Step } from "./step.ts";

const batch = 1_000;

const tables: Readonly<Record<SourceName, Fields>> = {
  indicators: indicators.fields,
  executions: executions.fields,
};

/** The filter fields of a resource. They are the columns of its rows. */
export const sourceFields = (source: SourceName): Fields => tables[source];

const frames = new Map<SourceName, Frame>();

/** The matching records of a resource, in the order in which they were written. */
export function sourceStep(
  source: SourceName,
  predicate: Predicate,
  { at }: Pick<NodePlace, "at">,
): Step {
  const columns = Object.entries(tables[source]).filter(([, field]) => field.filterable !== false);
  const frame = frames.get(source) ?? new Frame(columns.map(([name, field]) => ({ name, field })));
  frames.set(source, frame);
  return {
    frame,
    scan: { source, predicate },
    async *rows(execution) {
      const records = execution.records(source);
      for await (const texts of records.scan(predicate, execution.now, batch)) {
        await execution.produced(texts.length, at);
        yield texts.map((text) => rowOf(JSON.parse(text), columns));
      }
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

function rowOf(record: Members, columns: readonly (readonly [string, Field])[]): Row {
  return columns.map(([name, field]) => {
    if (field.derive !== undefined) return fieldValues(record, name, field)[0] ?? null;
    let value: unknown = record;
    for (const key of (field.path ?? name).split("."))
      value = (value as Members | undefined)?.[key];
    return value ?? (field.array === true ? [] : null);
  });
}
