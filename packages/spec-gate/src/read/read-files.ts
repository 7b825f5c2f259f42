import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { CannotJudge } from "./cannot-judge.ts";
import { locationText, type Location } from "./location.ts";

/** Dependencies of the file reader. */
export interface Reading {
  readonly fetch: typeof fetch;
  /** Folder that git runs in. */
  readonly folder: string;
  /** Why a URL must not be read; undefined if it may be read. */
  readonly refusalOf?: (location: Location) => string | undefined;
}

const largest = 100 * 1024 * 1024;
const fetchMilliseconds = 60_000;
const mostRedirects = 5;

/** A file's text, or why it cannot be read. */
export type FileText = { readonly text: string } | { readonly problem: string };

/** Reads several files; those of one git revision in one call. */
export async function readFiles(
  locations: readonly Location[],
  reading: Reading,
): Promise<readonly FileText[]> {
  const blobs = readBlobs(locations, reading.folder);
  return Promise.all(
    locations.map(async (location, index): Promise<FileText> => {
      if (location.kind === "git") return blobs.get(index) ?? { problem: "was not read" };
      if (location.kind === "url") return readUrl(location.url, reading);
      return readFile(location.path);
    }),
  );
}

function readFile(path: string): FileText {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { problem: "does not exist" };
    return {
      problem: code === "EISDIR" ? "is a folder, not a file" : `cannot be read: ${message}`,
    };
  }
}

async function readUrl(url: string, reading: Reading): Promise<FileText> {
  try {
    const response = await follow(url, reading, AbortSignal.timeout(fetchMilliseconds));
    if ("problem" in response) return response;
    if (!response.ok) return { problem: `is answered with ${response.status}` };
    return await readBody(response);
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

async function readBody(response: Response): Promise<FileText> {
  const parts: Uint8Array[] = [];
  let size = Number(response.headers.get("content-length") ?? 0);
  if (size <= largest && response.body !== null) {
    size = 0;
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += part.byteLength;
      if (size > largest) break;
      parts.push(part);
    }
  }
  if (size > largest) return { problem: `is larger than ${largest} bytes` };
  return { text: Buffer.concat(parts).toString("utf8") };
}

/** Files of git revisions by their index in `locations`. */
function readBlobs(locations: readonly Location[], folder: string): Map<number, FileText> {
  const found = new Map<number, FileText>();
  const blobs = locations.flatMap((location, index) =>
    location.kind === "git" ? [{ location, index }] : [],
  );
  if (blobs.length === 0) return found;
  checkRevisions(new Set(blobs.map(({ location }) => location.revision)), folder);
  const input = blobs.map(({ location }) => `${location.revision}:${location.path}\n`).join("");
  const output = git(["cat-file", "--batch"], folder, input);
  let offset = 0;
  for (const { location, index } of blobs) {
    const end = output.indexOf(0x0a, offset);
    const header = output.subarray(offset, end).toString();
    const [, kind, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(header) ?? [];
    offset = end + 1;
    if (size === undefined) {
      found.set(index, { problem: `does not exist in ${location.revision}` });
      continue;
    }
    const content = output.subarray(offset, offset + Number(size));
    offset += Number(size) + 1;
    found.set(
      index,
      kind === "blob"
        ? { text: content.toString("utf8") }
        : { problem: `is a ${kind}, not a file` },
    );
  }
  return found;
}

function checkRevisions(revisions: ReadonlySet<string>, folder: string): void {
  for (const revision of revisions) {
    try {
      git(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`], folder, "");
    } catch (error) {
      if (error instanceof CannotJudge) throw error;
      throw new CannotJudge(
        `git:${revision}: there is no such revision in ${folder}; fetch it first, for example with git fetch --depth=1 origin ${revision}`,
      );
    }
  }
}

function git(words: readonly string[], folder: string, input: string): Buffer {
  try {
    return execFileSync("git", words, {
      cwd: folder,
      input,
      maxBuffer: 4 * largest,
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
