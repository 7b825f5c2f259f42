import { posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CannotJudge } from "./cannot-judge.ts";

/**
 * Where a file of a document is: on disk, in a revision of a git repository or, without a revision, in
 * its index, or behind a URL.
 */
export type Location =
  | { readonly kind: "file"; readonly path: string }
  | {
      readonly kind: "git";
      readonly revision: string;
      readonly path: string;
      /** The path starts at the folder that git runs in, not at that of the repository. */
      readonly isFromFolder?: boolean;
    }
  | { readonly kind: "url"; readonly url: string };

/** Reads `git:REV:PATH`, `git::PATH` for the index, a URL or a path. Throws `CannotJudge` for any other format. */
export function parseLocation(text: string): Location {
  if (text.startsWith("git:")) {
    const [, revision, path] = /^git:([^:]*):(.+)$/s.exec(text) ?? [];
    if (revision === undefined || path === undefined || revision.startsWith("-")) {
      throw new CannotJudge(
        `${text}: expected git:REVISION:PATH, such as git:main:openapi.yaml, or git::PATH for the index`,
      );
    }
    const isFromFolder = /^\.\.?\//.test(path);
    return {
      kind: "git",
      revision,
      path: posix.normalize(path),
      ...(isFromFolder ? { isFromFolder } : {}),
    };
  }
  if (/^https?:\/\//i.test(text)) {
    if (!URL.canParse(text)) throw new CannotJudge(`${text} is not a URL`);
    return { kind: "url", url: text };
  }
  const scheme = /^([a-z]+):\/\//i.exec(text)?.[1];
  if (scheme !== undefined && scheme.toLowerCase() !== "file") {
    throw new CannotJudge(`${text}: expected a file, an http or https URL, or git:REVISION:PATH`);
  }
  if (text === "")
    throw new CannotJudge("expected a file, a URL or git:REVISION:PATH, got nothing");
  return {
    kind: "file",
    path: resolve(scheme === undefined ? text : pathOfFileUrl(text)),
  };
}

export const locationText = (location: Location): string =>
  location.kind === "git"
    ? `git:${location.revision}:${location.path}`
    : location.kind === "url"
      ? location.url
      : location.path;

/**
 * The target location of a reference without its fragment, relative to the file that contains it.
 */
export function relativeLocation(from: Location, reference: string): Location {
  if (reference === "") return from;
  if (from.kind === "url" || /^https?:\/\//i.test(reference)) {
    const url = URL.parse(reference, from.kind === "url" ? from.url : undefined);
    if (url === null) throw new CannotJudge(`the reference ${reference} is not a URL`);
    return { kind: "url", url: url.href };
  }
  if (/^file:\/\//i.test(reference) && from.kind === "file") {
    return { kind: "file", path: pathOfFileUrl(reference) };
  }
  const path = decodePath(reference.replace(/^file:\/\//, ""));
  if (from.kind === "git") {
    // An absolute path stays one, because it leads out of the repository.
    const whole = path.startsWith("/") ? path : posix.join(posix.dirname(from.path), path);
    return { ...from, path: posix.normalize(whole) };
  }
  return { kind: "file", path: resolve(from.path, "..", path) };
}

/** Also decodes escapes, and on Windows drops the slash before the drive. */
function pathOfFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (error) {
    throw new CannotJudge(`${url}: ${(error as Error).message}`);
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
