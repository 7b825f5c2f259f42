/** Thrown by a step that cannot run on this machine. */
export class Skipped extends Error {
  override readonly name = "Skipped";
}

/** Runs one step, prints it with its result, and remembers whether it failed. */
export type Report = (step: string, work: () => Promise<string | void>) => Promise<void>;

export function createReport(stdout: { write(text: string): unknown }): {
  readonly report: Report;
  readonly counts: { passed: number; failed: number; skipped: number };
} {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  return {
    counts,
    report: async (step, work) => {
      const began = performance.now();
      try {
        const detail = await work();
        counts.passed += 1;
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        stdout.write(`ok      ${step} (${detail ?? `${seconds} s`})\n`);
      } catch (error) {
        if (error instanceof Skipped) {
          counts.skipped += 1;
          stdout.write(`skipped ${step}: ${error.message}\n`);
          return;
        }
        counts.failed += 1;
        const text = error instanceof Error ? error.message : String(error);
        stdout.write(`FAILED  ${step}\n${text.replaceAll(/^/gm, "        ")}\n`);
      }
    },
  };
}
