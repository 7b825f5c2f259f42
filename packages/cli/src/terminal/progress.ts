import type { Output } from "./streams.ts";

const redrawMilliseconds = 100;

/** A progress line on a terminal; silent where standard error is not one. */
export class Progress {
  readonly #output: Output;
  readonly #label: string;
  readonly #startedAt = performance.now();
  #drawnAt = 0;

  constructor(output: Output, label: string) {
    this.#output = output;
    this.#label = label;
  }

  /** `total` of null: not known. */
  update(done: number, total: number | null): void {
    const now = performance.now();
    if (this.#output.isTTY !== true || now - this.#drawnAt < redrawMilliseconds) return;
    this.#drawnAt = now;
    this.#output.write(`\r\u001b[K${this.#line(done, total)}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#output.isTTY === true && this.#drawnAt > 0) this.#output.write("\r\u001b[K");
  }

  #line(done: number, total: number | null): string {
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const rate = seconds > 0 ? Math.round(done / seconds) : 0;
    const speed = `${rate.toLocaleString("en")}/s`;
    if (total === null || total === 0) {
      return `${this.#label} ${done.toLocaleString("en")}  ${speed}`;
    }
    const share = Math.min(1, done / total);
    const width = 24;
    const bar = "█".repeat(Math.round(share * width)).padEnd(width, "░");
    const left = rate > 0 ? `, ${Math.ceil((total - done) / rate)} s left` : "";
    const percent = `${Math.floor(share * 100)}%`.padStart(4);
    return `${this.#label} ${bar} ${percent} ${done.toLocaleString("en")} of ${total.toLocaleString("en")}  ${speed}${left}`;
  }
}
