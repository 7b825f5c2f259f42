import type { Readable } from "node:stream";
import { errors } from "../../foundation/errors.ts";
import { pause } from "../../foundation/work-turns.ts";
import type { BodyShare } from "./body-memory.ts";

export interface Receiving {
  /** Maximum size in bytes. */
  readonly limit: number;
  /** The size that the caller announced, if any. */
  readonly announced: string | undefined;
  readonly share: BodyShare;
  /** Sees each part on arrival. Throws to refuse the body without its rest. */
  readonly inspect: (part: Uint8Array) => void;
}

/** Receives a whole body, in parts. Rejects as soon as a limit is exceeded, before the rest has arrived. */
export function receiveBody(
  payload: Readable,
  { limit, announced, share, inspect }: Receiving,
): Promise<readonly Buffer[]> {
  if (Number(announced) > limit) return Promise.reject(errors.bodyTooLarge(limit));
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = [];
    let bytes = 0;
    const onData = (part: Buffer): void => {
      bytes += part.length;
      try {
        if (bytes > limit) throw errors.bodyTooLarge(limit);
        share.take(part.length);
        inspect(part);
        parts.push(part);
        waitForTurn();
      } catch (error) {
        stop();
        reject(error as Error);
      }
    };
    /** Many bodies that arrive at once also share the time of a turn. */
    const waitForTurn = (): void => {
      const turn = pause();
      if (turn === undefined) return;
      payload.pause();
      void turn.then(() => payload.resume());
    };
    const onEnd = (): void => {
      const whole = parts;
      stop();
      if (announced === undefined || bytes === Number(announced)) resolve(whole);
      else reject(errors.invalidRequest([{ at: "body", message: wrongSize }]));
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onClose = (): void => onError(errors.timedOut());
    /** A refused body is not kept, although its rest may still arrive. */
    const stop = (): void => {
      parts = [];
      payload.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
    };
    payload.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

const wrongSize = "its size does not match Content-Length";
