import type { NodePlace, Operator, Step } from "./step.ts";

/** Takes some rows in their order, and reads no further than it must. */
export function limitStep(
  { limit, offset = 0 }: Operator<"limit">,
  given: Step,
  place: NodePlace,
): Step {
  const input = given.first?.(offset + limit) ?? given;
  return {
    frame: input.frame,
    async *rows(execution) {
      let passed = 0;
      for await (const batch of input.rows(execution)) {
        const taken = batch.slice(Math.max(0, offset - passed), offset + limit - passed);
        passed += batch.length;
        await execution.made(taken.length, place.at);
        if (taken.length > 0) yield taken;
        if (passed >= offset + limit) return;
      }
    },
  };
}
