import type { Block } from "../../scripts/samples/blocks.ts";
import { sameJson } from "./compare-json.ts";
import { sameLines, sameText, type Correspondence } from "./compare-text.ts";

/** The first difference between a block of output and what was printed; null for none. */
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

/** Status, the headers that are shown, and the body, as `curl -i` prints them. */
function sameHttp(shown: string, printed: string, ids: Correspondence): string | null {
  const wanted = readMessage(shown);
  const found = readMessage(printed);
  if (!sameText(wanted.status, found.status, ids)) {
    return `shown ${wanted.status}, came ${found.status}: ${found.body}`;
  }
  const came = new Map(found.headers);
  for (const [name, value] of wanted.headers) {
    const real = came.get(name);
    if (real === undefined) return `shown, did not come: ${name}`;
    if (!sameText(value, real, ids)) return `${name}: shown ${value}, came ${real}`;
  }
  if (wanted.body === "") return null;
  return /^\s*[{[]/.test(wanted.body)
    ? sameJson(wanted.body, found.body, ids)
    : sameLines(wanted.body, found.body, ids);
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
