import type { NodePlace, Operator, Step } from "./step.ts";

/** Passes on the first rows and stops reading after the last of them. */
export function limitStep(
  { limit, offset = 0 }: Operator<"limit">,
  input: Step,
  place: NodePlace,
): Step {
  const step = input.first?.(offset + limit) ?? input;
  return {
    frame: step.frame,
    async *rows(execution) {
      let passed = 0;
      for await (const batch of step.rows(execution)) {
        const selected = batch.slice(Math.max(0, offset - passed), offset + limit - passed);
        passed += batch.length;
        await execution.produced(selected.length, place.at);
        if (selected.length > 0) yield selected;
        if (passed >= offset + limit) return;
      }
    },
  };
}
