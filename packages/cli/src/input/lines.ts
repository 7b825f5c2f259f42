import { CommandError } from "../terminal/exit-codes.ts";
import { refuseOtherFormats } from "./format.ts";

const newline = 10;
const carriageReturn = 13;
/** Maximum length of a line, so that a file without line breaks does not fill the memory. No record is longer. */
const maximumLine = 16 * 1024 * 1024;

export interface LinesOptions {
  /** Name of the input in messages. */
  readonly name: string;
  /** Called before each line with the number of bytes up to its end. */
  readonly onBytes?: (bytes: number) => void;
}

/** The lines of UTF-8 input. Throws a `CommandError` with the line number for invalid text. */
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
    if (restLength > maximumLine) {
      throw new CommandError(
        `${name}:${line + 1}: longer than ${maximumLine / 1024 / 1024} MiB; expected one JSON object per line`,
      );
    }
  }
  if (restLength === 0) return;
  onBytes?.(bytes);
  yield finish(new Uint8Array());
}
