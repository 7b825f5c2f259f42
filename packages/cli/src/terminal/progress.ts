import type { Output } from "./surroundings.ts";

const redrawMilliseconds = 100;
const barWidth = 24;
const clearLine = "\r\u001b[K";

/** A progress line on a terminal; silent if standard error is not a terminal. */
export class Progress {
  readonly #output: Output;
  readonly #label: string;
  readonly #startedAt = performance.now();
  #drawnAt = -Infinity;

  constructor(output: Output, label: string) {
    this.#output = output;
    this.#label = label;
  }

  /** `done` items so far; `share` of the total from 0 to 1, or null if the total is unknown. */
  update(done: number, share: number | null): void {
    const now = performance.now();
    if (this.#output.isTTY !== true || now - this.#drawnAt < redrawMilliseconds) return;
    this.#drawnAt = now;
    const line = progressLine(this.#label, done, share, (now - this.#startedAt) / 1_000);
    // Some terminals report 0 for an unknown width.
    const columns = this.#output.columns || 80;
    this.#output.write(`${clearLine}${line.slice(0, columns - 1)}`);
  }

  /** Clears the line. */
  end(): void {
    if (Number.isFinite(this.#drawnAt)) this.#output.write(clearLine);
  }
}

/** `importing indicators ██████░░░░░░  50%  1,000  500/s, 2 s left`. */
export function progressLine(
  label: string,
  done: number,
  share: number | null,
  seconds: number,
): string {
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  const speed = `${done.toLocaleString("en")}  ${rate.toLocaleString("en")}/s`;
  if (share === null) return `${label} ${speed}`;
  const part = Math.min(1, Math.max(0, share));
  const bar = "█".repeat(Math.round(part * barWidth)).padEnd(barWidth, "░");
  const left = part > 0 ? `, ${Math.ceil(seconds / part - seconds)} s left` : "";
  return `${label} ${bar} ${`${Math.floor(part * 100)}%`.padStart(4)}  ${speed}${left}`;
}
