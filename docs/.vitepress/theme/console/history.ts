import { shallowReactive } from "vue";
import type { Answer } from "./send.ts";

/** A request that was sent in this page. */
export interface Exchange {
  readonly number: number;
  readonly operationId: string;
  readonly collection: string;
  readonly method: string;
  readonly answer: Answer;
}

/** Maximum number of kept requests. */
const limit = 50;

/** The requests since the page was loaded, the newest first. */
export const exchanges = shallowReactive<Exchange[]>([]);

let count = 0;

export function remember(exchange: Omit<Exchange, "number">): void {
  count += 1;
  exchanges.unshift({ ...exchange, number: count });
  if (exchanges.length > limit) exchanges.length = limit;
}
