import type { Json, JsonObject } from "../json.ts";
import type { Location } from "./location.ts";

/** One file of a document, parsed. */
export interface LoadedFile {
  readonly location: Location;
  readonly text: string;
  readonly root: Json;
  /** Schemas by `$id` and by anchor. */
  readonly named: ReadonlyMap<string, JsonObject>;
  /** The URI that the file declares as its own. */
  readonly self: string | undefined;
}

/** The location of an object of a document. */
export interface Origin {
  readonly file: LoadedFile;
  readonly parent: object | undefined;
  readonly key: string;
}
