import { pause } from "../../foundation/work-turns.ts";
import { isLargerThan } from "@security-platform/spec/schemas";

/** Number of JSON values that are written without a pause. */
const atOnce = 500;
/** Usual size of a chunk in characters. */
const chunkCharacters = 65_536;

/** The JSON text of a large value, in chunks. Lets other requests run while it is written. */
export async function* jsonChunks(value: unknown): AsyncIterable<Buffer> {
  let text = "";
  for (const part of jsonParts(value)) {
    text += part;
    if (text.length >= chunkCharacters) {
      yield Buffer.from(text);
      text = "";
    }
    await pause();
  }
  yield Buffer.from(text);
}

function* jsonParts(value: unknown): Iterable<string> {
  if (!isLargerThan(atOnce, value)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [name, item] of Object.entries(value as object)) {
    if (item === undefined) continue;
    yield isList ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* jsonParts(item);
    separator = ",";
  }
  yield isList ? "]" : "}";
}
