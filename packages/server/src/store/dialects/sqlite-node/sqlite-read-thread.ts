import { answerCalls } from "../../../threads/answer-calls.ts";
import type { Bindable } from "../dialect.ts";
import { openWithPragmas, readerPragmas, SqliteStatements } from "../sqlite/sqlite-statements.ts";
import { nodeDriver } from "./node-driver.ts";

/** A statement that reads. */
export interface ReadRequest {
  readonly path: string;
  readonly pragmas: string;
  readonly form: "rows" | "tuples";
  readonly text: string;
  readonly parameters: readonly Bindable[];
}

/** Errors lose their members on their way, so these are sent apart. */
export type ReadReply =
  { readonly rows: unknown[] } | { readonly message: string; readonly errcode: number | undefined };

let opened: SqliteStatements | undefined;

/** Runs statements of one file. */
answerCalls(({ path, pragmas, form, text, parameters }: ReadRequest): ReadReply => {
  try {
    opened ??= new SqliteStatements(
      openWithPragmas(nodeDriver, path, `${pragmas}; ${readerPragmas}`),
    );
    return {
      rows: form === "rows" ? opened.all(text, parameters) : opened.tuples(text, parameters),
    };
  } catch (error) {
    if (!(error instanceof Error) || !("errcode" in error)) throw error;
    return { message: error.message, errcode: Number(error.errcode) };
  }
});
