import type { Descriptor, List } from "../wire/descriptor.ts";
import type { AnyInput } from "../wire/encode.ts";
import { readList } from "../wire/list.ts";

/** Throws a `RangeError` for a list that is too long for one request. */
export function refuseList(descriptor: Descriptor, input: AnyInput): never {
  const list = descriptor.list as List;
  const { length } = readList(list, input) as readonly unknown[];
  throw new RangeError(
    `${descriptor.id}: ${list[0]} has ${length} entries; one request has at most ${list[1]}`,
  );
}
