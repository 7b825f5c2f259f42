import { relative } from "node:path";
import type { Finding } from "../change.ts";
import { linesOf } from "../read/lines.ts";
import type { LoadedDocument, LoadedFile } from "../read/loaded-document.ts";
import { locationText } from "../read/location.ts";

export interface Spot {
  /** Path from the working folder, or a URL. */
  readonly file: string;
  readonly line: number;
}

/** The place of a finding in the revision; for removed parts, the place in the base. */
export function spotsOf(
  findings: readonly Finding[],
  revision: LoadedDocument,
  folder: string,
): ReadonlyMap<Finding, Spot> {
  const byFile = new Map<LoadedFile, Finding[]>();
  for (const finding of findings) {
    const file = revision.fileAt(finding.pointer);
    const group = byFile.get(file) ?? [];
    group.push(finding);
    byFile.set(file, group);
  }
  const spots = new Map<Finding, Spot>();
  for (const [file, group] of byFile) {
    const lines = linesOf(
      file.text,
      group.map(({ pointer }) => pointer),
    );
    const name = nameOf(file, folder);
    for (const finding of group) {
      spots.set(finding, { file: name, line: lines.get(finding.pointer) ?? 1 });
    }
  }
  return spots;
}

function nameOf({ location }: LoadedFile, folder: string): string {
  if (location.kind === "git") return location.path;
  return location.kind === "url"
    ? locationText(location)
    : relative(folder, location.path).replaceAll("\\", "/");
}
