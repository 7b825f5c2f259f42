import type { Descriptor } from "./descriptor.ts";
import { ClientError } from "./errors.ts";

/** A list has more entries than paging by offset can reach. The request was not sent. */
export class WindowError extends ClientError {
  override readonly name = "WindowError";
  /** The number of entries that can be reached. */
  readonly window: number;

  constructor({ id, paging }: Descriptor, window: number) {
    const remedy =
      paging?.cursor === undefined
        ? "narrow the filter"
        : `omit offset to page by ${paging.cursor}, or narrow the filter`;
    super(`${id} lists only the first ${window} entries by offset; ${remedy}`);
    this.window = window;
  }
}
