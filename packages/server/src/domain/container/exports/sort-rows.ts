import { Readable } from "node:stream";
import type { Fields, FilterRecord, SortKey } from "@security-platform/fql";
import type { BlobStore, ReceivedFile } from "../../../blobs/blob-store.ts";
import {
  compareKeys,
  directionsOf,
  keysOf,
  type SortValues,
} from "../../../records/sort-in-memory.ts";
import type { RecordText } from "../../../store/index.ts";
import type { RowBatches } from "./reading.ts";

interface Item {
  readonly keys: SortValues;
  readonly text: RecordText;
}

/** Maximum number of characters to sort in memory at once. */
const runCharacters = 4 * 1024 * 1024;
/** Maximum number of files that are open at once. */
const mostRuns = 64;
const batch = 2_000;
/** Lines per write to a temporary file. */
const linesAtOnce = 200;

/**
 * Sorts any number of rows with constant memory: it sorts batches that fit in memory, writes each
 * to a temporary file, and merges the files. Rows with equal keys keep their order. A sorted query
 * for each batch would sort all rows every time, because few sort fields have an index.
 */
export async function* sortRows(
  rows: RowBatches,
  sort: readonly SortKey[],
  fields: Fields,
  blobs: Pick<BlobStore, "receive">,
  mostCharacters = runCharacters,
): AsyncGenerator<readonly RecordText[]> {
  const directions = directionsOf(sort, fields);
  const compare = (left: Item, right: Item) => compareKeys(left.keys, right.keys, directions);
  const reception = await blobs.receive();
  try {
    let runs: ReceivedFile[] = [];
    const write = (lines: Iterable<string> | AsyncIterable<string>): Promise<ReceivedFile> =>
      reception.receive(Readable.from(lines));
    let items: Item[] = [];
    let characters = 0;
    for await (const texts of rows) {
      for (const text of texts) {
        items.push({ text, keys: keysOf(JSON.parse(text) as FilterRecord, sort, fields) });
        characters += text.length;
      }
      if (characters < mostCharacters) continue;
      runs.push(await write(linesOf(items.toSorted(compare))));
      items = [];
      characters = 0;
      if (runs.length < mostRuns) continue;
      const merged = await write(linesOfAll(merge(runs.map(readLines), compare)));
      await Promise.all(runs.map((run) => run.discard()));
      runs = [merged];
    }
    const last = items.toSorted(compare);
    for await (const part of merge([...runs.map(readLines), inBatches(last)], compare)) {
      yield part.map(({ text }) => text);
    }
  } finally {
    await reception.end();
  }
}

async function* inBatches(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += batch) {
    yield items.slice(start, start + batch);
  }
}

/** The text of a run, in parts. JSON texts contain no line breaks or tabs. */
function* linesOf(items: readonly Item[]): Generator<string> {
  for (let start = 0; start < items.length; start += linesAtOnce) {
    const part = items.slice(start, start + linesAtOnce);
    yield part.map(({ keys, text }) => `${JSON.stringify(keys)}\t${text}\n`).join("");
  }
}

async function* linesOfAll(parts: AsyncIterable<readonly Item[]>): AsyncGenerator<string> {
  for await (const items of parts) yield* linesOf(items);
}

async function* readLines(run: ReceivedFile): AsyncGenerator<readonly Item[]> {
  let rest = "";
  for await (const chunk of run.open().setEncoding("utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield lines.map(itemOf);
  }
}

function itemOf(line: string): Item {
  const tab = line.indexOf("\t");
  return { keys: JSON.parse(line.slice(0, tab)) as SortValues, text: line.slice(tab + 1) };
}

/** A sorted run, read from its start. */
class RunReader {
  readonly #parts: AsyncGenerator<readonly Item[]>;
  #part: readonly Item[] = [];
  #at = 0;

  constructor(parts: AsyncGenerator<readonly Item[]>) {
    this.#parts = parts;
  }

  /** The next item without taking it; undefined at the end. Valid after `load`. */
  get head(): Item | undefined {
    return this.#part[this.#at];
  }

  take(): void {
    this.#at += 1;
  }

  /** Reads until there is a next item or the run ends. */
  async load(): Promise<void> {
    while (this.#at >= this.#part.length) {
      const { value, done } = await this.#parts.next();
      if (done === true) return;
      this.#part = value;
      this.#at = 0;
    }
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#parts.return(undefined);
  }
}

async function* merge(
  sources: readonly AsyncGenerator<readonly Item[]>[],
  compare: (left: Item, right: Item) => number,
): AsyncGenerator<readonly Item[]> {
  const runs = sources.map((source) => new RunReader(source));
  try {
    yield* mergeRuns(runs, compare);
  } finally {
    await Promise.all(runs.map((run) => run.close()));
  }
}

async function* mergeRuns(
  runs: readonly RunReader[],
  compare: (left: Item, right: Item) => number,
): AsyncGenerator<readonly Item[]> {
  /**
   * Unfinished runs, sorted by their next item. If the items are equal, the earlier run comes
   * first.
   */
  const open: { readonly run: RunReader; readonly place: number; readonly head: Item }[] = [];
  const enter = (run: RunReader, place: number): void => {
    const { head } = run;
    if (head === undefined) return;
    let low = 0;
    let high = open.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = open[middle];
      const order = other === undefined ? 1 : compare(other.head, head) || other.place - place;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    open.splice(low, 0, { run, place, head });
  };
  for (const [place, run] of runs.entries()) {
    await run.load();
    enter(run, place);
  }
  let items: Item[] = [];
  for (let first = open.shift(); first !== undefined; first = open.shift()) {
    const { run, place, head } = first;
    items.push(head);
    run.take();
    if (run.head === undefined) await run.load();
    enter(run, place);
    if (items.length < batch) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}
