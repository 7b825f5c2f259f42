/**
 * Timers as objects, as in Node.js. `unref` does nothing: a page does not wait for timers before it ends.
 */
class Timer {
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }
}

type Work = (...parameters: unknown[]) => void;

/** The global timers of a browser, which return numbers. */
interface BrowserTimers {
  setTimeout(work: Work, milliseconds?: number, ...parameters: unknown[]): number;
  setInterval(work: Work, milliseconds?: number, ...parameters: unknown[]): number;
  clearTimeout(id: number | undefined): void;
  clearInterval(id: number | undefined): void;
}

const browser = globalThis as unknown as BrowserTimers;

export const setTimeout = (work: Work, milliseconds?: number, ...parameters: unknown[]): Timer =>
  new Timer(browser.setTimeout(work, milliseconds, ...parameters));

export const setInterval = (work: Work, milliseconds?: number, ...parameters: unknown[]): Timer =>
  new Timer(browser.setInterval(work, milliseconds, ...parameters));

type Known = Timer | number | null | undefined;

const idOf = (timer: Known): number | undefined =>
  timer instanceof Timer ? timer.id : (timer ?? undefined);

export const clearTimeout = (timer: Known): void => browser.clearTimeout(idOf(timer));

export const clearInterval = (timer: Known): void => browser.clearInterval(idOf(timer));

/** `setTimeout` waits at least 4 ms after a few turns; a message comes in the next turn. */
const { port1, port2 } = new MessageChannel() as unknown as {
  readonly port1: { addEventListener(type: "message", listener: () => void): void; start(): void };
  readonly port2: { postMessage(message: null): void };
};
const waiting: (() => void)[] = [];
port1.addEventListener("message", () => waiting.shift()?.());
port1.start();

export function setImmediate(work: Work, ...parameters: unknown[]): void {
  waiting.push(() => work(...parameters));
  port2.postMessage(null);
}
