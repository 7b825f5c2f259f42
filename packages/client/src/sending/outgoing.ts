import type { Clock } from "../clock.ts";
import type { Descriptor } from "../wire/descriptor.ts";
import type { EncodedRequest } from "../wire/encode.ts";
import type { HeaderValues, Send, Transport } from "../wire/transport.ts";
import type { CallOptions } from "./call-options.ts";
import type { Hooks } from "./hooks.ts";
import type { Pace, Slots } from "./limits.ts";

/** What all calls of a connection share. */
export interface SharedParts {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly send: Send;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hooks: Hooks;
  readonly slots: Slots;
  readonly pace: Pace;
  readonly timeoutMilliseconds: number;
  readonly retries: number;
  readonly retryWithinMilliseconds: number;
  readonly idempotencyKeys: boolean;
  /** Headers of every request. */
  readonly headers: HeaderValues;
}

/** The source of the `Authorization` header. */
export interface Authorization {
  get(): string | undefined | Promise<string | undefined>;
  /** Discards a value that the server rejected. False if there is no other. */
  discard(value: string): boolean;
}

/** A call that is ready to be sent. */
export interface Outgoing {
  readonly descriptor: Descriptor;
  readonly request: EncodedRequest;
  readonly options: CallOptions;
  readonly authorization: Authorization;
}

/** Sends a call, and reads its response. */
export type Exchange<Result> = (parts: SharedParts, outgoing: Outgoing) => Promise<Result>;

/** A body that sends itself, because it is opened for each request. */
export interface StreamedBody {
  /** Sends a call with this body by `exchange`. */
  send<Result>(parts: SharedParts, outgoing: Outgoing, exchange: Exchange<Result>): Promise<Result>;
}
