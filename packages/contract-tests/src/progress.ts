import type { Progress } from "./run-cases.ts";

interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Number of progress lines if the output is not a terminal. */
const logLines = 20;

export interface ProgressWriter {
  readonly show: (progress: Progress) => void;
  readonly end: () => void;
}

/** On a terminal one line that is rewritten, otherwise one line for every 5 % of the run. */
export function progressWriter(output: Output): ProgressWriter {
  return output.isTTY === true ? terminalProgress(output) : logProgress(output);
}

const terminalProgress = (output: Output): ProgressWriter => ({
  show: ({ done, total, failed, last }) => {
    output.write(`\r\u001b[K${done}/${total}, ${failed} failed: ${last.id.slice(0, 60)}`);
  },
  end: () => {
    output.write("\r\u001b[K");
  },
});

const logProgress = (output: Output): ProgressWriter => ({
  show: ({ done, total, failed, last }) => {
    if (last.outcome === "failed") output.write(`failed: ${last.id}\n`);
    const line = (count: number): number => Math.floor((count * logLines) / total);
    if (line(done) > line(done - 1)) {
      output.write(`${done} of ${total} cases done, ${failed} failed\n`);
    }
  },
  end: () => {},
});
