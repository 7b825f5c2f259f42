import type { BlobStore } from "../../blobs/blob-store.ts";
import type { Call, Caller } from "../../calls/call.ts";
import type { Context } from "../../calls/context.ts";
import type { Handler } from "../../calls/handler.ts";
import { defaultConfig } from "../../foundation/config.ts";
import { ApiError } from "../../foundation/errors.ts";
import { withIdentifiers } from "../../foundation/identifiers.ts";
import { createLogger } from "../../foundation/logger.ts";
import { LocalLimits } from "../../limits/limits.ts";
import { operationHandlers } from "../../operations/index.ts";
import { offline } from "../../outgoing/outgoing.ts";
import { everyScope } from "../../access/roles.ts";
import { DuplicateRecordError, type Store } from "../../store/index.ts";
import type { Random } from "../random.ts";
import { ListedIdentifiers } from "../known-ids.ts";
import type { Person, Step } from "./step.ts";

interface Actor {
  readonly uuid: string;
  readonly uid: string;
}

/** Where a story takes place. */
export interface Stage {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly cid: string;
  /** The client that makes all calls without a person. */
  readonly clientId: string;
  readonly people: Readonly<Record<Person, Actor>>;
  readonly random: Random;
}

/**
 * Makes the calls of a story in the order of their times, as if callers had made them then. A record that exists, from
 * an earlier attempt, stays unchanged.
 */
export async function play(stage: Stage, steps: readonly Step[]): Promise<void> {
  for (const each of steps.toSorted((left, right) => left.at - right.at)) {
    const identifiers = new ListedIdentifiers(each.ids ?? [], stage.random);
    try {
      await withIdentifiers(identifiers, async () => {
        const handle = operationHandlers[each.operation] as Handler;
        await handle(callOf(stage, each));
      });
    } catch (error) {
      if (!isDuplicate(error)) {
        throw new Error(`the generated call of ${each.operation} fails`, { cause: error });
      }
    }
  }
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof DuplicateRecordError || (error instanceof ApiError && error.status === 409);

function callOf({ store, blobs, cid, clientId, people }: Stage, each: Step): Call {
  const now = new Date(each.at);
  const person = each.by === undefined ? undefined : people[each.by];
  const caller: Caller = {
    clientId,
    cid,
    scopes: everyScope,
    ...(person === undefined
      ? {}
      : { user: { ...person, roles: [], scopes: new Set(everyScope), actions: new Set() } }),
  };
  const context: Context = {
    store,
    clock: { now: () => now },
    config: defaultConfig,
    logger: createLogger("silent"),
    limits: new LocalLimits(defaultConfig.limits),
    storage: null,
    cursorSecret: "",
    linkKey: "",
    blobs,
    outgoing: offline,
    hostFiles: null,
  };
  const call = {
    operation: { id: each.operation },
    query: each.query ?? {},
    path: each.path ?? {},
    headers: {},
    body: each.body,
    files: {},
    caller,
    basic: null,
    now,
    traceId: `generated-${each.operation}`,
    keyed: null,
    origin: "",
    context,
  };
  // The cast is safe: `step` has checked the input against the types of the operation.
  return call as unknown as Call;
}
