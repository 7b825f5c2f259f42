import type { DatabaseOptions } from "../../database/options.ts";
import type { ResultOptions } from "../../terminal/print-result.ts";

/** Options of the commands that accept and cancel. */
export interface AnswerInvitationOptions extends DatabaseOptions, ResultOptions {
  readonly tenant?: string;
}
