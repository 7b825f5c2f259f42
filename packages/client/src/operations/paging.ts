import type { ListAnswer } from "../wire/answer.ts";
import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { printParameters } from "./fql.ts";

/** Requests the pages of a list in their order. */
export interface Pager<Item> {
  /** The maximum page size. */
  readonly maximum: number;
  /**
   * The next page, with this size unless the caller of the method set one. The size is read after the code
   * that calls this. Undefined after the last page.
   */
  next(size: () => number | undefined): Promise<ListAnswer<Item> | undefined>;
}

/**
 * Pages of an operation: by its cursor where it has one, otherwise by offset. Rejects with a `WindowError`
 * before a page that paging by offset cannot reach.
 */
export function pager(
  connection: Connection,
  descriptor: Descriptor,
  input: AnyInput,
  options: CallOptions,
): Pager<unknown> {
  const { limit: maximum, cursor, window = Infinity } = descriptor.paging ?? { limit: 1 };
  // A caller who sets an offset pages by offset, which an operation with a separate cursor also supports.
  const byOffset = cursor === undefined || (cursor !== "offset" && input["offset"] !== undefined);
  let place: AnyInput | undefined = {};
  const first = byOffset ? Number(input["offset"] ?? 0) : 0;
  let position = first;

  async function next(size: () => number | undefined): Promise<ListAnswer<unknown> | undefined> {
    if (place === undefined) return undefined;
    const start = place;
    const room = byOffset ? window - position : Infinity;
    // The server explains what is wrong with the offset or limit of the caller.
    const isOwn = position === first && (room <= 0 || input["limit"] !== undefined);
    if (room <= 0 && !isOwn) {
      const { WindowError } = await import("../wire/window-error.ts");
      throw new WindowError(descriptor, window);
    }
    const page = async (): Promise<AnyInput> => {
      const printed = await printParameters(input);
      const limit = input["limit"] ?? size();
      const fitting = !isOwn && Number(limit ?? 0) > room ? room : limit;
      return {
        ...printed,
        ...start,
        ...(fitting === undefined ? {} : { limit: fitting }),
      };
    };
    const answer = (await connection.call(descriptor, page, options)) as ListAnswer<unknown>;
    place = placeAfter(answer);
    return answer;
  }

  function placeAfter({ data, page }: ListAnswer<unknown>): AnyInput | undefined {
    if (!byOffset) return page.after === undefined ? undefined : { [cursor]: page.after };
    position += data.length;
    const isLast =
      data.length === 0 ||
      (page.total === undefined ? data.length < (page.limit ?? 1) : position >= page.total);
    return isLast ? undefined : { offset: position };
  }

  return { maximum, next };
}
