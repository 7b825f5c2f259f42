import type { ChildProcess } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { processorSeconds, startOn, stop } from "./measure.ts";

export interface Load {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly connections?: number;
  /** Requests per second of all connections. Default: as many as the server handles. */
  readonly rate?: number;
  /** The processor of the load generator; default: the second one. */
  readonly processor?: 1 | null;
  /**
   * Whether other load generators come first. Otherwise the times that they measure contain their wait for the processor
   * that they share with this one, which says nothing of the server.
   */
  readonly yields?: boolean;
}

export interface Rate {
  /** Responses per second of wall-clock time. */
  readonly perSecond: number;
  /** Responses per second of the server's CPU time; independent of the speed of the generator. */
  readonly perProcessorSecond: number;
  /** Share of one processor that the server used. */
  readonly busy: number;
  readonly failures: number;
}

interface AutocannonReport {
  readonly "2xx": number;
  readonly non2xx: number;
  readonly errors: number;
  readonly duration: number;
}

const autocannon = fileURLToPath(import.meta.resolve("autocannon"));

/** Loads a server with GET requests. */
export async function load(pid: number, options: Load): Promise<Rate> {
  const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => [
    "-H",
    `${name}=${value}`,
  ]);
  const { processor = 1 } = options;
  const child = startOn(processor, [
    autocannon,
    "--json",
    "--no-progress",
    "-c",
    String(options.connections ?? 32),
    "-d",
    String(options.seconds),
    ...(options.rate === undefined ? [] : ["-R", String(options.rate)]),
    ...headers,
    options.url,
  ]);
  if (options.yields === true) yieldToOthers(child);
  const before = processorSeconds(pid);
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  const used = processorSeconds(pid) - before;
  await stop(child);
  const report = JSON.parse(text) as AutocannonReport;
  return {
    perSecond: report["2xx"] / report.duration,
    perProcessorSecond: report["2xx"] / used,
    busy: used / report.duration,
    failures: report.non2xx + report.errors,
  };
}

function yieldToOthers({ pid }: ChildProcess): void {
  if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
}

export interface EvenRate extends Pick<Rate, "perSecond"> {
  /** 99 of 100 responses took at most these milliseconds. */
  readonly p99: number;
}

/** Loads a server with GET requests at even distances, however fast it answers. */
export async function evenLoad({
  url,
  headers,
  seconds,
  perSecond,
  yields = false,
}: Pick<Load, "url" | "headers" | "seconds" | "yields"> & {
  readonly perSecond: number;
}): Promise<EvenRate> {
  const script = fileURLToPath(new URL("even-load.ts", import.meta.url));
  const words = [url, perSecond, seconds, JSON.stringify(headers ?? {})];
  const child = startOn(1, [script, ...words.map(String)]);
  if (yields) yieldToOthers(child);
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  await stop(child);
  const times = (JSON.parse(text) as number[]).toSorted((left, right) => left - right);
  return {
    perSecond: times.length / seconds,
    p99: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN,
  };
}

/** A request of a load. `{number}` in its body is replaced by a number that no other request has. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

export interface RequestKind {
  readonly name: string;
  /** Of a hundred requests. */
  readonly share: number;
  /** They are sent in turn. */
  readonly requests: readonly LoadRequest[];
}

export interface MixedLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Default: as many as the server handles. */
  readonly perSecond?: number;
  readonly connections: number;
  readonly kinds: readonly RequestKind[];
}

/** For each kind, when its requests were due and how long their answers took, without those that failed. */
export interface MixedTimes {
  readonly times: Readonly<
    Record<string, readonly (readonly [second: number, milliseconds: number])[]>
  >;
  /** By kind and status or message. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Loads a server with requests of several kinds. */
export async function mixedLoad(options: MixedLoad): Promise<MixedTimes> {
  const script = fileURLToPath(new URL("mixed-load.ts", import.meta.url));
  const child = startOn(1, ["--max-old-space-size=4096", script]);
  child.stdin?.end(JSON.stringify(options));
  let text = "";
  for await (const chunk of child.stdout ?? []) text += String(chunk);
  await stop(child);
  return JSON.parse(text) as MixedTimes;
}
