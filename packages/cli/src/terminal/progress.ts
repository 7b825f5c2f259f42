import type { Output } from "./cli-context.ts";

const redrawMilliseconds = 100;
const barWidth = 24;
const clearLine = "\r\u001b[K";

/** What is counted: entries as whole numbers, bytes as `1.5 MB`. */
type Unit = "entries" | "bytes";

/** A progress line on a terminal; silent if standard error is not a terminal. */
export class Progress {
  readonly #output: Output;
  readonly #label: string;
  readonly #unit: Unit;
  readonly #startedAt = performance.now();
  readonly #signal: AbortSignal | undefined;
  #drawnAt = -Infinity;

  /** `signal`: ends the work at its next progress. */
  constructor(
    output: Output,
    label: string,
    { unit = "entries", signal }: { readonly unit?: Unit; readonly signal?: AbortSignal } = {},
  ) {
    this.#output = output;
    this.#label = label;
    this.#unit = unit;
    this.#signal = signal;
  }

  /**
   * `done` items so far; `share` of the total from 0 to 1, or null if the total is unknown. Throws the reason of the
   * signal.
   */
  update(done: number, share: number | null): void {
    this.#signal?.throwIfAborted();
    const now = performance.now();
    if (now - this.#drawnAt < redrawMilliseconds) return;
    this.show(progressLine(this.#label, done, share, (now - this.#startedAt) / 1_000, this.#unit));
  }

  /** Shows a line of another kind. */
  show(line: string): void {
    if (this.#output.isTTY !== true) return;
    this.#drawnAt = performance.now();
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
  unit: Unit = "entries",
): string {
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  const speed = `${amount(done, unit)}  ${amount(rate, unit)}/s`;
  if (share === null) return `${label} ${speed}`;
  const part = Math.min(1, Math.max(0, share));
  const bar = "█".repeat(Math.round(part * barWidth)).padEnd(barWidth, "░");
  const left = part > 0 ? `, ${timeLeft(seconds / part - seconds)} left` : "";
  return `${label} ${bar} ${`${Math.floor(part * 100)}%`.padStart(4)}  ${speed}${left}`;
}

function amount(count: number, unit: Unit): string {
  if (unit === "entries") return count.toLocaleString("en");
  const power = count < 1_000 ? 0 : Math.min(3, Math.floor(Math.log10(count) / 3));
  const value = count / 1_000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${["B", "kB", "MB", "GB"][power]}`;
}

function timeLeft(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
