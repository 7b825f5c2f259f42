import type { Random } from "../../packages/spec-gate/tests/fuzz/edits.ts";

/** What became of an input. */
export interface Outcome {
  /** A status or the name of an error, for the summary. */
  readonly label: string;
  /** The law that it breaks. */
  readonly problem?: string;
}

/** A part of the project that reads what others write. An input is JSON, so that it can be kept; bytes are in base64. */
export interface Target<Input = unknown> {
  readonly name: string;
  /** The process whose memory, descriptors and turns are measured. */
  readonly runsIn: "server" | "own";
  generate(random: Random): Input;
  send(input: Input): Promise<Outcome>;
}

/** Traces of the code, the database, the machine or its files, which no response may contain. */
const leaks: readonly RegExp[] = [
  /\n\s+at \S+ \(?\S+:\d+:\d+/,
  /node:internal|node_modules|\.(?:ts|js|mjs):\d+/,
  /\bSQLITE_\w+|\bsqlite3?\b|\bsyntax error at or near\b/i,
  /\b(?:select|insert into|update|delete from)\s+\S+\s+(?:from|set|values|where)\b/i,
  /(?:^|[\s"'(])\/(?:tmp|home|root)\/\w/,
  /\bE(?:CONNREFUSED|CONNRESET|NOENT|PIPE|ACCES)\b/,
  /\b(?:TypeError|RangeError|ReferenceError|AssertionError)\b/,
];

/** Why an HTTP response must not be sent; undefined if it may. `sent`: the request, which a response may repeat. */
export function answerProblem(status: number, text: string, sent: string): string | undefined {
  if (status >= 500) return `status ${status}: ${text.slice(0, 400)}`;
  // GraphQL has its errors in a success.
  const inside = /"code": ?5\d\d\b/.exec(text)?.[0];
  if (inside !== undefined && !sent.includes(inside)) {
    return `an error inside of a response with ${status}: ${text.slice(0, 400)}`;
  }
  for (const leak of leaks) {
    const found = leak.exec(text)?.[0];
    if (found !== undefined && !sent.includes(found.trim())) {
      return `the response contains ${JSON.stringify(found)}: ${text.slice(0, 400)}`;
    }
  }
  return undefined;
}

/** Runs code that must end, or reject the input by an error of these names. */
export async function judged(expected: readonly string[], work: () => unknown): Promise<Outcome> {
  try {
    await work();
    return { label: "accepted" };
  } catch (error) {
    const { name, message, stack } = error as Error;
    if (expected.includes(name)) return { label: name };
    return { label: name, problem: `${name}: ${message}\n${stack ?? ""}` };
  }
}
