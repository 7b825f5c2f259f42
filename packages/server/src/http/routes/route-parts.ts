import type { ServedOperation } from "@security-platform/spec";
import type { ControlParts } from "../control/parts.ts";
import type { Meters } from "../../foundation/meters.ts";
import type { Authenticator } from "../requests/authenticate.ts";
import type { Compression } from "../compat/compression.ts";
import type { BodyMemory } from "../bodies/body-memory.ts";
import type { IdempotencyKeys } from "../requests/idempotency.ts";
import type { RequestTurns } from "../requests/request-turns.ts";
import type { ResponseMemory } from "../responses/response-memory.ts";
import type { RequestTracer } from "../requests/request-tracer.ts";
import type { RateLimits } from "../requests/rate-limits.ts";

/** A request and its response as sent, for journals and conformance checks. */
export interface Exchange {
  readonly operation: ServedOperation;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a file, whose bytes are not recorded. */
  readonly body: string;
  readonly envelope: boolean;
}

export type Observer = (exchange: Exchange) => void;

export interface RouteParts {
  readonly authenticator: Authenticator;
  readonly rateLimits: RateLimits;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly memory: BodyMemory;
  readonly turns: RequestTurns;
  /** Undefined for requests of this process. */
  readonly responses: ResponseMemory | undefined;
  /** Set only if the platform is controlled, as in tests. */
  readonly control?: ControlParts | undefined;
  readonly meters?: Meters | undefined;
  readonly tracer?: RequestTracer | undefined;
  readonly observe?: Observer | undefined;
  /** Set only with `serve --compat`. */
  readonly compression?: Compression | undefined;
}
