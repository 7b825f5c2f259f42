import { readFileSync } from "node:fs";

/**
 * A type in the reference tables: `string`, `list<string>`, `map<integer>`, or the name of a model.
 */
export interface ReferenceMember {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** `minimum`, `maximum`, `default`, `enum` (separated by commas), as text. */
  readonly limits: Readonly<Record<string, string>>;
}

export interface ReferenceOperation {
  readonly id: string;
  /** Empty if the tables contain no statuses. */
  readonly statuses: readonly number[];
  /** Type of the success's content; empty if the tables contain none. */
  readonly answer: string;
  readonly parameters: readonly (ReferenceMember & { readonly place: string })[];
}

/** Public facts about the operations, their models and records, from the tables in this folder. */
export interface Reference {
  /** Members by schema, as the written specification lists them. */
  readonly records: ReadonlyMap<string, readonly string[]>;
  readonly operations: readonly ReferenceOperation[];
  /** Members by model; undefined for a model of any type. */
  readonly models: ReadonlyMap<string, readonly ReferenceMember[] | undefined>;
}

const rowsOf = (name: string): readonly (readonly string[])[] =>
  readFileSync(new URL(`./reference/${name}.tsv`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"));

function memberOf(words: readonly string[]): ReferenceMember {
  const [name = "", type = "", ...limits] = words;
  return {
    name,
    type: type.replace(/!$/, ""),
    required: type.endsWith("!"),
    limits: Object.fromEntries(limits.map((limit) => limit.split("=", 2))),
  };
}

/** Reads the tables. */
export const readReference = (): Reference => ({
  records: new Map(rowsOf("records").map(([name = "", ...members]) => [name, members])),
  operations: rowsOf("operations").map(([id = "", statuses = "", answer = "", ...cells]) => ({
    id,
    statuses: statuses.split(",").filter(Boolean).map(Number),
    answer,
    parameters: cells.map((cell) => {
      const [place = "", ...words] = cell.split(" ");
      return { place, ...memberOf(words) };
    }),
  })),
  models: new Map(
    rowsOf("models").map(([name = "", ...cells]) => [
      name,
      cells.length === 0 ? undefined : cells.map((cell) => memberOf(cell.split(" "))),
    ]),
  ),
});
