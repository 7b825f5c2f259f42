import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Direction, Verdict } from "../change.ts";
import { parseLocation } from "../read/location.ts";

/** One severity for both directions, or one for each. */
export type Severity = Verdict | Readonly<Partial<Record<Direction, Verdict>>>;

/** The content of `spec-gate.yaml`; its schema is `config.schema.json`. */
export interface Settings {
  readonly severities?: {
    readonly rules?: Readonly<Record<string, Severity>>;
    readonly categories?: Readonly<Record<string, Severity>>;
  };
  readonly leaveOut?: {
    readonly paths?: readonly string[];
    readonly marked?: readonly string[];
    readonly extensions?: readonly string[];
  };
  readonly stripPrefixes?: readonly string[];
  readonly approvals?: string;
  readonly documents?: readonly { readonly base: string; readonly revision: string }[];
  readonly version?: { readonly check?: boolean; readonly zeroMayBreak?: boolean };
  readonly deprecation?: { readonly requireSunset?: boolean };
}

const fileNames = ["spec-gate.yaml", "spec-gate.yml", "spec-gate.json"];

/** The configuration file in a folder. */
export const settingsIn = (folder: string): string | undefined =>
  fileNames.map((name) => join(folder, name)).find((path) => existsSync(path));

/** The configuration file beside a document on disk. */
export function settingsBeside(document: string, folder: string): string | undefined {
  if (document === "-") return settingsIn(folder);
  const location = parseLocation(document);
  return location.kind === "file" ? settingsIn(dirname(location.path)) : undefined;
}

/** A path of the configuration starts at its folder; `-`, URLs and git revisions stay. */
export function fromFolder(location: string, home: string): string {
  if (location === "-" || /^(?:git:|[a-z]+:\/\/)/i.test(location)) return location;
  return relative("", resolve(home, location));
}
