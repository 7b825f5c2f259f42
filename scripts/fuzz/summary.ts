import type { BatchResult } from "./run.ts";
import type { Resources } from "./resources.ts";
import type { Target } from "./target.ts";

interface Sum {
  inputs: number;
  readonly outcomes: Map<string, number>;
  /** Milliseconds of the processor. */
  turn: number | null;
  /** After the last batches. */
  readonly recent: Resources[];
}

/** Batches of one target over which a growth must last, because memory is released late. */
const lasting = 8;

/** Batches of each target until caches and pools have their usual size. */
const warm = 5;

/** What a run has done so far. */
export class Summary {
  readonly #sums: ReadonlyMap<string, Sum>;
  readonly #batches = new Map<string, number>();
  /** The resources of each process once it is warm. */
  readonly #first = new Map<Target["runsIn"], Resources>();
  readonly #warm: number;
  #shown = 0;

  constructor(targets: readonly Target[]) {
    this.#warm = warm * targets.length;
    this.#sums = new Map(
      targets.map(({ name }) => [name, { inputs: 0, outcomes: new Map(), turn: null, recent: [] }]),
    );
  }

  add({ name, runsIn }: Target, inputs: number, { outcomes, turn, resources }: BatchResult): void {
    const sum = this.#sums.get(name);
    if (sum === undefined) return;
    sum.inputs += inputs;
    for (const [label, count] of outcomes) {
      sum.outcomes.set(label, (sum.outcomes.get(label) ?? 0) + count);
    }
    if (turn !== null) sum.turn = Math.max(sum.turn ?? 0, turn);
    if (resources !== null) sum.recent.push(resources);
    if (sum.recent.length > lasting) sum.recent.shift();
    const batches = (this.#batches.get("all") ?? 0) + 1;
    this.#batches.set("all", batches);
    if (batches >= this.#warm && resources !== null && !this.#first.has(runsIn)) {
      this.#first.set(runsIn, resources);
    }
  }

  /** How the process of the target has grown beyond what is usual. */
  growth({ name, runsIn }: Target, most: Omit<Resources, "processor">): string | undefined {
    const first = this.#first.get(runsIn);
    const recent = this.#sums.get(name)?.recent ?? [];
    if (first === undefined || recent.length < lasting) return undefined;
    for (const what of ["megabytes", "descriptors"] as const) {
      const last = Math.min(...recent.map((each) => each[what]));
      if (last - first[what] > most[what]) {
        return `the process has grown from ${first[what]} to ${last} ${what}`;
      }
    }
    return undefined;
  }

  /** Writes a line, on a terminal over the last one, otherwise once a minute. */
  progress(used: number, seconds: number): void {
    const inputs = [...this.#sums.values()].reduce((total, sum) => total + sum.inputs, 0);
    const line = `fuzz: ${inputs} inputs, ${Math.round(used)} of ${seconds} s`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K`);
    else if (performance.now() - this.#shown > 60_000) {
      this.#shown = performance.now();
      process.stderr.write(`${line}\n`);
    }
  }

  /** A line for each target. */
  text(): string {
    const rows = [...this.#sums].map(([name, { inputs, outcomes, turn, recent }]) => [
      name,
      String(inputs),
      turn === null ? "-" : `${turn.toFixed(0)} ms`,
      `${recent.at(-1)?.megabytes ?? "-"} MB`,
      String(recent.at(-1)?.descriptors ?? "-"),
      [...outcomes]
        .toSorted(([, left], [, right]) => right - left)
        .map(([label, count]) => `${label}: ${count}`)
        .join(", "),
    ]);
    const all = [["target", "inputs", "turn", "memory", "open", "outcomes"], ...rows];
    const widths = all[0]?.map((_, column) =>
      Math.max(...all.map((row) => row[column]?.length ?? 0)),
    );
    return `\n${all
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
          .join("  ")
          .trimEnd(),
      )
      .join("\n")}`;
  }
}
