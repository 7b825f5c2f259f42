import { relative } from "node:path";
import { groupBy } from "../group-by.ts";
import { positionsOf } from "../read/lines.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { LoadedFile } from "../read/loaded-file.ts";
import { locationText } from "../read/location.ts";

/** A place in a file of a document. */
export interface Spot {
  /** Path from the working folder, or a URL. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The places of pointers in a document; those that it lacks have the place of their parent. */
export function spotsOf(
  pointers: Iterable<string>,
  document: LoadedDocument,
  folder: string,
): ReadonlyMap<string, Spot> {
  const byFile = groupBy(new Set(pointers), (pointer) => document.fileAt(pointer));
  return new Map(
    [...byFile].flatMap(([file, group]) => {
      const positions = positionsOf(file.text, group);
      const name = nameOf(file, folder);
      return group.map((pointer): [string, Spot] => [
        pointer,
        { file: name, ...(positions.get(pointer) ?? { line: 1, column: 1 }) },
      ]);
    }),
  );
}

function nameOf({ location }: LoadedFile, folder: string): string {
  if (location.kind === "git") return location.path;
  return location.kind === "url"
    ? locationText(location)
    : relative(folder, location.path).replaceAll("\\", "/");
}
