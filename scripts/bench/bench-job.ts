import type { JobKind } from "../../packages/server/src/jobs/job-kind.ts";

/** A job whose only effect is its entry in the queue. */
export const benchJob: JobKind = {
  name: "bench.run",
  run: async () => ({ commit: async () => ({ done: true }) }),
};
