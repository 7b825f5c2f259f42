import { createHook } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { StatementSync } from "node:sqlite";
import { workTurns } from "../../src/foundation/work-turns.ts";

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const requestStart = "http.server.request.start";

/** Ends a turn at each look at the time while `work` runs, so a fast machine takes as many turns as a slow one. */
export async function withShortTurns<Result>(work: () => Promise<Result>): Promise<Result> {
  const { now } = workTurns;
  let milliseconds = now();
  workTurns.now = () => (milliseconds += 1_000);
  try {
    return await work();
  } finally {
    workTurns.now = now;
  }
}

/**
 * How often a request lets others run in short turns: the number of immediates that are created between the arrival of its
 * body and the start of its answer. Time and waiting play no part, so a slow machine counts the same. `send`
 * sends the only request of this process.
 */
export async function turnsOf(send: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isCounting = false;
  const hook = createHook({
    init: (_id, type) => {
      if (type === "Immediate" && isCounting) turns += 1;
    },
  });
  const onStart = (message: unknown): void => {
    const { request, response } = message as Started;
    if (request.headers["content-length"] === undefined) isCounting = true;
    else request.once("end", () => (isCounting = true));
    const writeHead = response.writeHead.bind(response) as (...parameters: unknown[]) => unknown;
    response.writeHead = ((...parameters: unknown[]) => {
      isCounting = false;
      return writeHead(...parameters);
    }) as typeof response.writeHead;
  };
  subscribe(requestStart, onStart);
  hook.enable();
  try {
    await withShortTurns(send);
  } finally {
    hook.disable();
    unsubscribe(requestStart, onStart);
  }
  return turns;
}

/**
 * The most statements and rows of SQLite in one short turn of the event loop while `work` runs. Those of other
 * threads do not count.
 */
export async function mostInOneTurn(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  let inThisTurn = 0;
  let isOver = false;
  const turn = (): void => {
    most = Math.max(most, inThisTurn);
    inThisTurn = 0;
    if (!isOver) setImmediate(turn);
  };
  const restore = countStatements((units) => (inThisTurn += units));
  setImmediate(turn);
  try {
    await withShortTurns(work);
  } finally {
    isOver = true;
    restore();
  }
  return Math.max(most, inThisTurn);
}

/** Reports statements and rows of this thread until the returned function is called. */
function countStatements(report: (units: number) => void): () => void {
  const { all, run } = StatementSync.prototype;
  StatementSync.prototype.all = function counted(...parameters: unknown[]) {
    const rows = Reflect.apply(all, this, parameters) as ReturnType<typeof all>;
    report(1 + rows.length);
    return rows;
  };
  StatementSync.prototype.run = function counted(...parameters: unknown[]) {
    report(1);
    return Reflect.apply(run, this, parameters) as ReturnType<typeof run>;
  };
  return () => Object.assign(StatementSync.prototype, { all, run });
}
