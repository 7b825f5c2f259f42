import { readdirSync, readlinkSync } from "node:fs";
import { expect, vi } from "vitest";

/** The resources of the system that a process holds. */
interface OpenResources {
  /** Open descriptors by target. */
  readonly descriptors: Counts;
  readonly threads: number;
  /** Timers, sockets and unfinished work of this thread. */
  readonly handles: Counts;
  /** Number of entries of the folders that a test watches. */
  readonly files: number;
}

type Counts = Readonly<Record<string, number>>;

const usualTimes = 150;
/** Number of works at once: enough that they overlap, and few enough for any limit of descriptors. */
const atOnce = 10;
/** Idle connections and threads that stay for the next use. More than these are a leak. */
const slack = 10;

/**
 * Does something that fails or is interrupted 150 times, and waits until nothing of it is open any more. Reads `/proc`.
 * `folders`: where incomplete files lie. `times`: fewer for slow work, more for work that leaks only at some moments;
 * at least 12 for each kind of work, so that a leak exceeds the 10 descriptors that may stay.
 */
export async function expectNothingOpen(
  work: (index: number) => Promise<unknown>,
  { folders = [], times = usualTimes }: { folders?: readonly string[]; times?: number } = {},
): Promise<void> {
  // The first uses start threads and connections that stay.
  await repeat(Math.min(2 * atOnce, times), work);
  const warm = openResources(folders);
  await settled({ ...warm, files: 0 }, folders);
  const before = openResources(folders);
  await repeat(times, work);
  await settled(before, folders);
}

async function repeat(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

const settled = (before: OpenResources, folders: readonly string[]): Promise<void> =>
  vi.waitFor(
    () => {
      const now = openResources(folders);
      expect(now.files).toBe(before.files);
      expect(grown(before.descriptors, now.descriptors)).toEqual({});
      expect(grown(before.handles, now.handles)).toEqual({});
      expect(now.threads).toBeLessThanOrEqual(before.threads + slack);
    },
    { timeout: 60_000, interval: 20 },
  );

/** The resources of which there are more than before. */
const grown = (before: Counts, now: Counts): Counts =>
  Object.fromEntries(
    Object.entries(now).filter(([name, count]) => count > (before[name] ?? 0) + slack),
  );

function openResources(folders: readonly string[]): OpenResources {
  return {
    descriptors: counted(readdirSync("/proc/self/fd").map(targetOf)),
    threads: readdirSync("/proc/self/task").length,
    handles: counted(process.getActiveResourcesInfo()),
    files: folders.flatMap(namesIn).length,
  };
}

/** What a descriptor leads to, without the numbers of sockets and temporary files. */
function targetOf(descriptor: string): string {
  try {
    const target = readlinkSync(`/proc/self/fd/${descriptor}`);
    return target.startsWith("/") && !target.includes("(deleted)")
      ? target.replaceAll(/[\da-f]{8,}(-[\da-f]+)*/g, "*")
      : target.replace(/:.*|.*(?=\(deleted)/, "");
  } catch {
    // It was closed, as that of this list.
    return "closed";
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const counted = (names: readonly string[]): Counts =>
  Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, same]) => [name, same.length]),
  );
