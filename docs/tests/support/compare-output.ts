import type { Block } from "../../scripts/samples/blocks.ts";
import { sameJson } from "./compare-json.ts";
import { sameLines, sameText, type Correspondence } from "./compare-text.ts";

/** The first difference between an output block and the actual output; null if there is none. */
export function outputDifference(
  block: Block,
  printed: string,
  ids: Correspondence,
): string | null {
  switch (block.language) {
    case "json":
      return sameJson(block.text, printed, ids);
    case "http":
      return sameHttp(block.text, printed, ids);
    default:
      return sameLines(block.text, printed, ids);
  }
}

interface Message {
  readonly status: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Status, the headers on the page, and the body, in the format of `curl -i`. */
function sameHttp(expected: string, printed: string, ids: Correspondence): string | null {
  const expectedMessage = readMessage(expected);
  const actualMessage = readMessage(printed);
  if (!sameText(expectedMessage.status, actualMessage.status, ids)) {
    return `expected ${expectedMessage.status}, got ${actualMessage.status}: ${actualMessage.body}`;
  }
  const came = new Map(actualMessage.headers);
  for (const [name, value] of expectedMessage.headers) {
    const real = came.get(name);
    if (real === undefined) return `missing header: ${name}`;
    if (!sameText(value, real, ids)) return `${name}: expected ${value}, got ${real}`;
  }
  if (expectedMessage.body === "") return null;
  return /^\s*[{[]/.test(expectedMessage.body)
    ? sameJson(expectedMessage.body, actualMessage.body, ids)
    : sameLines(expectedMessage.body, actualMessage.body, ids);
}

function readMessage(text: string): Message {
  const [head = "", ...rest] = text.replaceAll("\r\n", "\n").split("\n\n");
  const [status = "", ...headers] = head.split("\n");
  return {
    status: status.trim(),
    headers: headers.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
    body: rest.join("\n\n").trim(),
  };
}
