import type { CliContext } from "../terminal/cli-context.ts";

/** A command line that is being typed. */
export interface TypedLine {
  readonly context: CliContext;
  /** The values of its options so far, by the names of their attributes. */
  readonly options: Readonly<Record<string, string>>;
  /** What a list command prints with `--json`, such as `jobs list`, for the database of the line. */
  readonly listed: (
    list: readonly string[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Finds the values that a shell completes an option or an argument with. */
export type Offer = (line: TypedLine) => readonly string[] | Promise<readonly string[]>;

type Parser = (text: string, before: never) => unknown;

const offers = new WeakMap<object, Offer>();

/** The parser of an option or an argument, with the values that shells complete it with. */
export function offering<Reads extends Parser>(
  parser: Reads,
  offer: Offer | readonly string[],
): Reads {
  offers.set(parser, typeof offer === "function" ? offer : () => offer);
  return parser;
}

export const offerOf = (parser: object | undefined): Offer | undefined =>
  parser === undefined ? undefined : offers.get(parser);
