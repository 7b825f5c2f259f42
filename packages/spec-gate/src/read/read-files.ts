import { execFileSync } from "node:child_process";
import { posix } from "node:path";
import { CannotJudge } from "./cannot-judge.ts";
import { locationText, type Location } from "./location.ts";
import {
  readRegularFile,
  take,
  textFrom,
  tooLarge,
  type FileText,
  type Room,
} from "./read-file.ts";

/** Dependencies of the file reader. */
export interface Reading {
  readonly fetch: typeof fetch;
  /** Folder that git runs in. */
  readonly folder: string;
  /** Why a URL must not be read; undefined if it may be read. */
  readonly refusalOf?: (location: Location) => string | undefined;
}

const fetchMilliseconds = 60_000;
const mostRedirects = 5;

/** The location with a path that starts at the folder of the repository. */
export function fromRepository(location: Location, folder: string): Location {
  if (location.kind !== "git" || location.isFromFolder !== true) return location;
  const { kind, revision, path } = location;
  const start = git(["rev-parse", "--show-prefix"], folder, "").toString().trim();
  return { kind, revision, path: posix.normalize(`${start}${path}`) };
}

/** Reads several files; those of one git revision in one call. */
export async function readFiles(
  locations: readonly Location[],
  reading: Reading,
  room: Room,
): Promise<readonly FileText[]> {
  const blobs = readBlobs(locations, reading.folder, room);
  return Promise.all(
    locations.map(async (location, index): Promise<FileText> => {
      if (location.kind === "git") return blobs.get(index) ?? { problem: "was not read" };
      if (location.kind === "url") return readUrl(location.url, reading, room);
      return readRegularFile(location.path, room);
    }),
  );
}

async function readUrl(url: string, reading: Reading, room: Room): Promise<FileText> {
  try {
    const response = await follow(url, reading, AbortSignal.timeout(fetchMilliseconds));
    if ("problem" in response) return response;
    if (!response.ok) return { problem: `is answered with ${response.status}` };
    return await readBody(response, room);
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") {
      return { problem: `is not answered within ${fetchMilliseconds / 1000} seconds` };
    }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      problem: `cannot be fetched: ${cause instanceof Error ? cause.message : String(cause)}`,
    };
  }
}

/** Follows redirects if all their URLs may be read. */
async function follow(
  url: string,
  reading: Reading,
  signal: AbortSignal,
): Promise<Response | { readonly problem: string }> {
  let current = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await reading.fetch(current, {
      headers: { accept: "application/json, application/yaml, text/yaml, */*" },
      redirect: "manual",
      signal,
    });
    const location = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, current);
    if (next === null || !/^https?:$/.test(next.protocol)) {
      return { problem: `redirects to ${location}, which is no URL of a web server` };
    }
    const refusal = reading.refusalOf?.({ kind: "url", url: next.href });
    if (refusal !== undefined) return { problem: `redirects to ${next.href}, which ${refusal}` };
    current = next.href;
  }
  return { problem: `redirects more than ${mostRedirects} times` };
}

async function readBody(response: Response, room: Room): Promise<FileText> {
  const parts: Uint8Array[] = [];
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > room.left) {
    await response.body?.cancel();
    return tooLarge(room);
  }
  // Leaving the loop cancels the body.
  for await (const part of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    if (!take(room, part.byteLength)) return tooLarge(room);
    parts.push(part);
  }
  return textFrom(parts);
}

/** Files of git revisions by their index in `locations`. */
function readBlobs(
  locations: readonly Location[],
  folder: string,
  room: Room,
): ReadonlyMap<number, FileText> {
  const texts = new Map<number, FileText>();
  const blobs = locations.flatMap((location, index) =>
    location.kind === "git" ? [{ location, index }] : [],
  );
  if (blobs.length === 0) return texts;
  checkRevisions(new Set(blobs.map(({ location }) => location.revision)), folder);
  const names = blobs.map(({ location }) => `${location.revision}:${location.path}`);
  const objects = sizesOf(names, folder);
  const readable: { readonly index: number; readonly id: string; readonly size: number }[] = [];
  for (const [at, { location, index }] of blobs.entries()) {
    const { id, kind, size } = objects[at] ?? {};
    if (id === undefined || kind === undefined || size === undefined) {
      const place = location.revision === "" ? "the index of git" : location.revision;
      texts.set(index, { problem: `does not exist in ${place}` });
    } else if (kind !== "blob") texts.set(index, { problem: `is a ${kind}, not a file` });
    else if (take(room, size)) readable.push({ index, id, size });
    else texts.set(index, tooLarge(room));
  }
  const output = batch(
    "--batch",
    readable.map(({ id }) => id),
    folder,
    room,
  );
  let offset = 0;
  for (const { index, size } of readable) {
    const start = output.indexOf(0x0a, offset) + 1;
    offset = start + size + 1;
    texts.set(index, textFrom([output.subarray(start, start + size)]));
  }
  return texts;
}

interface GitObject {
  readonly id?: string | undefined;
  readonly kind?: string | undefined;
  readonly size?: number | undefined;
}

/** The ids and sizes of objects, so that nothing too large is read. */
function sizesOf(names: readonly string[], folder: string): readonly GitObject[] {
  // A name with a line break would ask for two objects.
  const asked = names.filter((name) => !/[\n\r\0]/.test(name));
  const lines = batch("--batch-check", asked, folder).toString().split("\n");
  const objects = new Map(
    asked.map((name, at): [string, GitObject] => {
      const [, id, kind, size] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(lines[at] ?? "") ?? [];
      return [name, { id, kind, size: size === undefined ? undefined : Number(size) }];
    }),
  );
  return names.map((name) => objects.get(name) ?? {});
}

function batch(option: string, names: readonly string[], folder: string, room?: Room): Buffer {
  if (names.length === 0) return Buffer.alloc(0);
  const lines = names.map((name) => `${name}\n`).join("");
  // Each object has a line of its own before it; the sizes are already taken from the room.
  const most = (room?.megabytes ?? 0) * 1024 * 1024 + lines.length + names.length * 200;
  return git(["cat-file", option], folder, lines, most);
}

function checkRevisions(revisions: ReadonlySet<string>, folder: string): void {
  for (const revision of revisions) {
    try {
      if (revision === "") continue;
      git(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`], folder, "");
    } catch (error) {
      if (error instanceof CannotJudge) throw error;
      throw new CannotJudge(
        `git:${revision}: there is no such revision in ${folder}; fetch it first, for example with git fetch --depth=1 origin ${revision}`,
      );
    }
  }
}

/** Runs git in a folder. Throws `CannotJudge` where there is no git, or no repository. */
export function git(
  words: readonly string[],
  folder: string,
  input: string,
  maxBuffer = 1024 * 1024,
): Buffer {
  try {
    return execFileSync("git", words, {
      cwd: folder,
      input,
      maxBuffer,
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    if (code === "ENOENT") throw new CannotJudge("git: cannot be run; is it installed?");
    const errorOutput = stderr?.toString().trim() ?? "";
    if (errorOutput.includes("not a git repository")) {
      throw new CannotJudge(`${folder} is not in a git repository`);
    }
    throw error;
  }
}

export const problemText = (location: Location, problem: string): string =>
  `${locationText(location)} ${problem}`;
