import { asObject } from "../wire/any-object.ts";
import type { Answer } from "../wire/answer.ts";
import type { Descriptor, List } from "../wire/descriptor.ts";
import { readRetryAfter } from "../wire/retry-after.ts";
import { WaitError } from "../wire/wait-error.ts";
import type { WaitOptions } from "../sending/call-options.ts";
import type { Connection } from "../sending/connection.ts";
import { withList, type Records } from "../wire/list.ts";

/** The documented states of work (`x-wait`). In every state that is not listed, the work goes on. */
export interface WaitRule {
  /** The member of the record that has the state. */
  readonly state: string;
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** The member of the record that says why the work failed. */
  readonly reason?: string;
}

/** The first pause between two reads; each next one is half as long again. */
const firstPause = 1_000;
const longestPause = 15_000;

/** Reads a record until its work is done. A server may ask for longer pauses by `Retry-After`. */
export async function wait(
  connection: Connection,
  descriptor: Descriptor,
  rule: WaitRule,
  id: string,
  { withinMilliseconds = 600_000, onProgress, ...options }: WaitOptions<unknown>,
): Promise<Answer<unknown>> {
  if (!(withinMilliseconds >= 0)) {
    throw new RangeError(`withinMilliseconds must be 0 or more, not ${withinMilliseconds}`);
  }
  const { clock } = connection;
  const input = withList(descriptor.list as List, {}, [id]);
  const deadline = clock.now().getTime() + withinMilliseconds;
  for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
    const { data, response } = (await connection.call(descriptor, input, options)) as Records;
    const record = asObject(data[0]) ?? {};
    const state = String(record[rule.state]);
    onProgress?.(record);
    if (rule.done.includes(state)) return { data: record, response };
    const place = `${descriptor.id}: the ${rule.state} of ${id} is ${state}`;
    if (rule.failed.includes(state)) {
      const reason = rule.reason === undefined ? undefined : record[rule.reason];
      const message = `${place}, so it does not become ${rule.done.join(" or ")}`;
      const why = typeof reason === "string" ? `: ${reason}` : "";
      throw new WaitError(message + why, record, state, false);
    }
    const left = deadline - clock.now().getTime();
    if (left <= 0) {
      const message = `${place} after ${withinMilliseconds} ms; wait again, or raise withinMilliseconds`;
      throw new WaitError(message, record, state, true);
    }
    const requested = (readRetryAfter(response.headers, clock) ?? 0) * 1_000;
    await clock.sleep(Math.min(Math.max(pause, requested), left), options.signal);
  }
}
