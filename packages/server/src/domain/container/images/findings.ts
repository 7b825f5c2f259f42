import type { components } from "@security-platform/spec";
import type { Meter } from "./unpack.ts";

type Schemas = components["schemas"];
export type SystemPackage = Omit<Schemas["ImagePackage"], "LayerIndex" | "LayerHash">;
export type HighEntropyString = Schemas["HighEntropyString"];

/** A library of an application; `type` is its kind, as the platform names it. */
export interface Library {
  readonly type: "npm" | "pypi" | "maven" | "gobinary" | "cargo" | "gem" | "nuget";
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

export interface OperatingSystem {
  readonly name: string;
  readonly version: string;
}

/** An executable. */
export interface Executable {
  readonly hash: string;
  /** The permissions as `ls -l` shows them: `-rwxr-xr-x`. */
  readonly permissions: string;
  readonly size: number;
}

/** The findings of one file. */
export interface Findings {
  readonly system?: OperatingSystem;
  readonly packages?: readonly SystemPackage[];
  readonly libraries?: readonly Library[];
  readonly secrets?: readonly HighEntropyString[];
  readonly executable?: Executable;
  /** A database that SQLite opens later, with its log. */
  readonly database?: Buffer;
  /** What could not be read, for people. */
  readonly warning?: string;
}

/** Reads the files of one kind. */
export interface FileReader {
  /** Whether it reads the file, decided by the path alone. */
  wants(path: string): boolean;
  /** `meter` counts what it unpacks. */
  read(path: string, content: Buffer, meter: Meter): Findings | Promise<Findings>;
}
