import { answerCalls } from "../../../threads/answer-calls.ts";
import type { Bindable } from "../sql.ts";
import type { SqliteHandle } from "../sqlite/driver.ts";
import {
  openWithPragmas,
  SqliteStatements,
  type StatementForm,
} from "../sqlite/sqlite-statements.ts";
import { nodeDriver } from "./node-driver.ts";

/** A statement, a script, or a statement for each of many rows. */
export type StatementRequest = {
  readonly path: string;
  readonly pragmas: string;
  /** Maximum time of each statement; 0: no limit. The same in all requests. */
  readonly milliseconds: number;
  /** Whether a transaction is open. A thread that was started again has none. */
  readonly inTransaction: boolean;
  readonly text: string;
} & (
  | {
      readonly form: StatementForm;
      readonly parameters: readonly Bindable[];
    }
  | { readonly form: "script" }
  | { readonly form: "insert"; readonly rows: readonly (readonly Bindable[])[] }
);

export type StatementReply = {
  /** Whether a transaction is open afterwards. */
  readonly inTransaction: boolean;
} & (
  | { readonly rows: unknown[] }
  /** Errors lose their members on their way, so these are sent apart. */
  | { readonly message: string; readonly errcode: number | undefined }
);

interface Opened {
  readonly handle: SqliteHandle;
  readonly statements: SqliteStatements;
}

let opened: Opened | undefined;

/** Runs statements of one file, on one connection. */
answerCalls((request: StatementRequest): StatementReply => {
  let inTransaction = false;
  try {
    opened ??= open(request);
    const { handle } = opened;
    if (handle.inTransaction !== request.inTransaction) {
      throw new Error("the transaction is no longer open");
    }
    try {
      return { rows: answer(opened, request), inTransaction: handle.inTransaction };
    } finally {
      inTransaction = handle.inTransaction;
    }
  } catch (error) {
    if (!(error instanceof Error) || !("errcode" in error)) throw error;
    return { message: error.message, errcode: Number(error.errcode), inTransaction };
  }
});

function open({ path, pragmas, milliseconds }: StatementRequest): Opened {
  const handle = openWithPragmas(nodeDriver, path, pragmas);
  return { handle, statements: new SqliteStatements(handle, milliseconds) };
}

function answer({ handle, statements }: Opened, request: StatementRequest): unknown[] {
  switch (request.form) {
    case "script":
      handle.exec(request.text);
      return [];
    case "insert":
      for (const row of request.rows) statements.execute("run", request.text, row);
      return [];
    default:
      return statements.execute(request.form, request.text, request.parameters);
  }
}
