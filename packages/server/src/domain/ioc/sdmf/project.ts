import { Frame, type Column } from "./frame.ts";
import type { NodePlace, Operator, Step } from "./step.ts";

/** Selects columns, in the requested order and with the requested names. */
export function projectStep(
  { columns }: Operator<"project">,
  input: Step,
  place: NodePlace,
): Step | null {
  const places: number[] = [];
  const selected: Column[] = [];
  let complete = true;
  for (const [index, { field, as = field }] of columns.entries()) {
    const member = `operator.columns[${index}]`;
    const from = place.column(input.frame, field, `${member}.field`);
    const column = from === null ? undefined : input.frame.columns[from];
    if (from === null || column === undefined) {
      complete = false;
    } else if (selected.some(({ name }) => name === as)) {
      place.report(member, `a second column named ${as}`);
      complete = false;
    } else {
      places.push(from);
      selected.push({ name: as, field: column.field });
    }
  }
  if (!complete) return null;
  return {
    frame: new Frame(selected),
    async *rows(execution) {
      for await (const batch of input.rows(execution)) {
        await execution.produced(batch.length, place.at);
        yield batch.map((row) => places.map((from) => row[from]));
      }
    },
  };
}
