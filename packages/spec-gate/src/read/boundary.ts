import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CannotJudge } from "./cannot-judge.ts";
import type { Location } from "./location.ts";

export interface BoundaryOptions {
  /** Folder that relative paths of options start from. */
  readonly folder: string;
  /** Also reads referenced files on other hosts. */
  readonly allowRemoteReferences?: boolean;
  /** Another folder whose files may be referenced. */
  readonly referencesWithin?: string;
}

/** Says why a file must not be read; undefined if it may be read. */
export type Boundary = (target: Location) => string | undefined;

/** A folder that references may lead to, with symbolic links resolved. */
interface Area {
  readonly path: string;
  readonly real: string;
}

/**
 * The files that a document may consist of. A document often comes from a stranger, and its values
 * appear in public reports. So references stay in the repository, or in the document's folder if it
 * is in no repository. References to other hosts are followed only with permission.
 */
export function boundaryOf(main: Location, options: BoundaryOptions): Boundary {
  const refusalOfFile = main.kind === "file" ? fileBoundary(main.path, options) : undefined;
  return (target) => {
    switch (target.kind) {
      case "file":
        return (
          refusalOfFile?.(target.path) ?? (refusalOfFile ? undefined : "leads to a local file")
        );
      case "git":
        return isInTree(target.path) ? undefined : "leads out of the repository";
      case "url":
        return urlRefusal(main, target.url, options);
    }
  };
}

function fileBoundary(
  main: string,
  { folder, referencesWithin }: BoundaryOptions,
): (path: string) => string | undefined {
  const repository = repositoryOf(dirname(main));
  const own = areaOf(repository ?? dirname(main));
  const more = referencesWithin === undefined ? [] : [areaOf(resolve(folder, referencesWithin))];
  const name = repository === undefined ? "the folder of the document" : "the repository";
  const outside = `leads out of ${name}; if the file may be read, allow it with --refs-within FOLDER`;
  const isInArea = (path: string): boolean =>
    [own, ...more].some((area) => contains(area.path, path) || contains(area.real, path));
  return (path) => {
    if (!isInArea(path)) return outside;
    const real = realPath(path);
    if (real === undefined) return undefined;
    if (![own, ...more].some((area) => contains(area.real, real))) return outside;
    // The configuration of git may contain the token of a checkout.
    const isGit = real.split(sep).some((part) => part.toLowerCase() === ".git");
    return isGit ? "leads into a folder .git, whose files are not read" : undefined;
  };
}

/** The nearest folder above that has a folder `.git`, or the file `.git` of a work tree. */
function repositoryOf(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) return undefined;
  }
}

function areaOf(path: string): Area {
  return { path, real: realPath(path) ?? path };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Reading the file gives the better message.
    return undefined;
  }
}

function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const isInTree = (path: string): boolean => !/^(?:\/|\.\.(?:\/|$))/.test(path);

function urlRefusal(
  main: Location,
  url: string,
  { allowRemoteReferences }: BoundaryOptions,
): string | undefined {
  const { origin, host, protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) return "leads to no URL of a web server";
  if (allowRemoteReferences === true) return undefined;
  if (main.kind === "url" && new URL(main.url).origin === origin) return undefined;
  return `leads to another host, ${host}; allow it with --allow-remote-refs`;
}

/** Throws `CannotJudge` if a file that was named by an option is outside of its own boundary. */
export function checkInside(location: Location, name: string, options: BoundaryOptions): void {
  const refusal = boundaryOf(location, options)(location);
  if (refusal !== undefined) throw new CannotJudge(`${name} ${refusal}`);
}
