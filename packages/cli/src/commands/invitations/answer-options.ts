import type { DatabaseOptions } from "../../database/options.ts";
import type { AnswerOptions } from "../../terminal/answer.ts";

/** Options of the commands that accept and cancel. */
export interface AnswerInvitationOptions extends DatabaseOptions, AnswerOptions {
  readonly tenant?: string;
}
