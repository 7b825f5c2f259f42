import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { CannotJudge } from "./cannot-judge.ts";
import { locationText, type Location } from "./location.ts";

/** What reading needs from outside. */
export interface Reading {
  readonly fetch: typeof fetch;
  /** Folder that git runs in. */
  readonly folder: string;
}

const largest = 256 * 1024 * 1024;
const fetchMilliseconds = 60_000;

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
      if (location.kind === "url") return readUrl(location.url, reading.fetch);
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

async function readUrl(url: string, fetchUrl: typeof fetch): Promise<FileText> {
  try {
    const response = await fetchUrl(url, {
      headers: { accept: "application/json, application/yaml, text/yaml, */*" },
      signal: AbortSignal.timeout(fetchMilliseconds),
    });
    if (!response.ok) return { problem: `is answered with ${response.status}` };
    const declared = Number(response.headers.get("content-length") ?? 0);
    if (declared > largest) return { problem: `is larger than ${largest} bytes` };
    return { text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return {
      problem: `cannot be fetched: ${cause instanceof Error ? cause.message : String(cause)}`,
    };
  }
}

/** Files of git revisions by their index in `locations`. */
function readBlobs(locations: readonly Location[], folder: string): Map<number, FileText> {
  const found = new Map<number, FileText>();
  const wanted = locations.flatMap((location, index) =>
    location.kind === "git" ? [{ location, index }] : [],
  );
  if (wanted.length === 0) return found;
  checkRevisions(new Set(wanted.map(({ location }) => location.revision)), folder);
  const input = wanted.map(({ location }) => `${location.revision}:${location.path}\n`).join("");
  const output = git(["cat-file", "--batch"], folder, input);
  let offset = 0;
  for (const { location, index } of wanted) {
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
    const said = stderr?.toString().trim() ?? "";
    if (said.includes("not a git repository")) {
      throw new CannotJudge(`${folder} is not in a git repository`);
    }
    throw error;
  }
}

export const problemText = (location: Location, problem: string): string =>
  `${locationText(location)} ${problem}`;
