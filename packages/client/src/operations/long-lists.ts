import type { CallOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import type { Answer } from "../wire/answer.ts";
import { asObject } from "../wire/any-object.ts";
import type { Descriptor, List } from "../wire/descriptor.ts";
import { encodeRequest, type AnyInput } from "../wire/encode.ts";
import { readList, withList } from "../wire/list.ts";
import { refuseList } from "./refuse-list.ts";
import { sendBatches } from "./send-batches.ts";

export { refuseList, sendBatches };

/**
 * Sends the entries of a deletion in groups of the documented maximum, one after the other, and joins the answers. A
 * group that fails ends the call: the groups before it have taken effect, which its error says. Refuses the long list
 * of any other operation.
 */
export async function sendLongList(
  connection: Connection,
  descriptor: Descriptor,
  input: AnyInput,
  options?: CallOptions,
): Promise<Answer<unknown>> {
  if (descriptor.method !== "DELETE") refuseList(descriptor, input);
  const list = descriptor.list as List;
  const entries = readList(list, input) as readonly unknown[];
  if (input["filter"] !== undefined) {
    throw new RangeError(
      `${descriptor.id}: ${list[0]} has ${entries.length} entries beside a filter; pass only one of them`,
    );
  }
  // An entry that cannot be sent must not turn up after others were deleted.
  for (const entry of entries) encodeRequest(descriptor, withList(list, input, [entry]));
  let done = 0;
  const counted: Descriptor = {
    ...descriptor,
    get remedy() {
      return done === 0 ? "" : `; the requests with the first ${done} entries succeeded`;
    },
  };
  const answers: Answer<unknown>[] = [];
  // A server would not find what an earlier group has deleted.
  for await (const batch of sendBatches(connection, counted, new Set(entries), {
    ...options,
    input,
  })) {
    if (batch.error !== undefined) throw batch.error;
    answers.push(batch);
    done = batch.to;
  }
  return joined(answers);
}

/** The first response, with the entries of all: a list, or the `resources` of an Envelope. */
function joined(answers: readonly Answer<unknown>[]): Answer<unknown> {
  const [{ data, response }] = answers as readonly [Answer<unknown>];
  if (Array.isArray(data)) return { data: answers.flatMap((answer) => answer.data), response };
  const resources = answers.flatMap((answer) => asObject(answer.data)?.["resources"] ?? []);
  return { data: { ...asObject(data), resources }, response };
}
