import { CommandError } from "../terminal/exit-codes.ts";
import { refuseOtherFormats } from "./format.ts";

const newline = 10;
const carriageReturn = 13;
/** Longer than any record can be; a file without line breaks must not fill the memory. */
const longestLine = 16 * 1024 * 1024;

export interface LinesOptions {
  /** What messages call the input. */
  readonly name: string;
  /** Told before each line how many bytes it ends at. */
  readonly onBytes?: (bytes: number) => void;
}

/** The lines of UTF-8 input. Throws `CommandError` at what is no such text, naming the line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  { name, onBytes }: LinesOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest: Uint8Array[] = [];
  let restLength = 0;
  let bytes = 0;
  let line = 0;
  const finish = (last: Uint8Array): string => {
    line += 1;
    const whole = rest.length === 0 ? last : Buffer.concat([...rest, last]);
    rest = [];
    restLength = 0;
    const end = whole.at(-1) === carriageReturn ? whole.length - 1 : whole.length;
    try {
      return decoder.decode(whole.subarray(0, end));
    } catch {
      throw new CommandError(`${name}:${line}: not valid UTF-8; convert the file first`);
    }
  };
  for await (const chunk of chunks) {
    if (bytes === 0) refuseOtherFormats(chunk, name);
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      const text = finish(chunk.subarray(start, at));
      start = at + 1;
      onBytes?.(bytes + start);
      yield text;
    }
    bytes += chunk.length;
    if (start < chunk.length) {
      rest.push(chunk.subarray(start));
      restLength += chunk.length - start;
    }
    if (restLength > longestLine) {
      throw new CommandError(
        `${name}:${line + 1}: longer than ${longestLine / 1024 / 1024} MiB; expected one JSON object a line`,
      );
    }
  }
  if (restLength === 0) return;
  onBytes?.(bytes);
  yield finish(new Uint8Array());
}
