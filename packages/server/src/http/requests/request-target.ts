import { errors, mostProblems, type ApiError, type Problem } from "../../foundation/errors.ts";

/**
 * Refuses a request target that would be read as a different text: one with percent-encoding that is not
 * UTF-8, or with U+0000, which no text may contain. The HTTP parser refuses unencoded characters.
 */
export function targetError(target: string): ApiError | null {
  if (!target.includes("%")) return null;
  const question = target.indexOf("?");
  const path = question === -1 ? target : target.slice(0, question);
  const query = question === -1 ? "" : target.slice(question + 1);
  const problem = problemOf(path);
  if (problem !== undefined) return errors.invalidRequest([{ at: "path", message: problem }]);
  if (problemOf(query) === undefined) return null;
  const problems: Problem[] = [];
  for (const pair of query.split("&")) {
    const message = problemOf(pair);
    if (message !== undefined) problems.push({ at: placeOf(pair), message });
    // A target has room for tens of thousands, and each takes as long as a small request.
    if (problems.length === mostProblems) break;
  }
  return errors.invalidRequest(problems);
}

function problemOf(text: string): string | undefined {
  const decoded = decode(text);
  if (decoded === undefined) {
    return "contains a percent-encoding that is not UTF-8; send % as %25";
  }
  return decoded.includes("\0")
    ? "contains the character U+0000, which no text may contain"
    : undefined;
}

/** Undefined for a percent-encoding that is not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `query`, with the parameter's name if the name can be read. */
function placeOf(pair: string): string {
  const name = pair.split("=", 1)[0] ?? "";
  return problemOf(name) === undefined ? `query.${decodeURIComponent(name)}` : "query";
}
