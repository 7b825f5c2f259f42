import { difference } from "./difference.ts";
import { readText, type LineProblem, type ReadText } from "./read-text.ts";
import { yamlOf } from "./yaml-of.ts";

/** What is done with the texts of files. Files pass as JSON: a thread receives text faster than objects. */
export type TextRequest =
  | { readonly read: string; readonly tokensAllowed?: number }
  | { readonly yamlOf: string }
  /** Null: there is no such file yet. */
  | { readonly compare: { readonly before: string | null; readonly after: string } };

export type TextReply = ReadText | readonly LineProblem[] | string;

export function answerText(request: TextRequest): TextReply {
  if ("read" in request) return readText(request.read, request.tokensAllowed);
  if ("yamlOf" in request) return yamlOf(request.yamlOf);
  const { before, after } = request.compare;
  return difference(before === null ? "" : yamlOf(before), yamlOf(after));
}
