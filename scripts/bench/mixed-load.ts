/**
 * Run with a `MixedLoad` as JSON on standard input. Sends its requests in turn, each kind as often as its share says.
 * With `perSecond`, the requests start at even distances, whether earlier ones are answered or not, and their times
 * count from when they were due: who waits for a connection waits for an answer. Without it, `connections` callers
 * send as fast as they are answered. Prints a `MixedTimes` as JSON.
 */
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { MixedLoad, MixedTimes, RequestKind } from "./load.ts";

const { url, headers, seconds, perSecond, connections, kinds } = JSON.parse(
  await text(process.stdin),
) as MixedLoad;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const order = inTurn(kinds);
const times: Record<string, [second: number, milliseconds: number][]> = {};
for (const { name } of kinds) times[name] = [];
const failures = new Map<string, number>();
const began = performance.now();
let sent = 0;
const waiting = new Set<Promise<void>>();

/** A hundred kinds in the shares that they have, spread evenly. */
function inTurn(all: readonly RequestKind[]): readonly RequestKind[] {
  const places = all.flatMap((kind) =>
    Array.from({ length: kind.share }, (_, at) => ({ kind, place: (at + 0.5) / kind.share })),
  );
  return places.toSorted((left, right) => left.place - right.place).map(({ kind }) => kind);
}

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("an empty list");
  return item;
};

function send(due: number): Promise<void> {
  const kind = at(order, sent);
  const number = sent;
  sent += 1;
  const target = at(kind.requests, Math.floor(number / order.length) * 7 + number);
  // Each created or changed value is another one.
  const body = target.body?.replaceAll("{number}", `${process.pid}-${number}`);
  const options = {
    agent,
    method: target.method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
  };
  return new Promise((resolve) => {
    const end = (failure?: string): void => {
      const now = performance.now();
      if (failure === undefined) times[kind.name]?.push([(due - began) / 1_000, now - due]);
      else failures.set(failure, (failures.get(failure) ?? 0) + 1);
      resolve();
    };
    const outgoing = request(url + target.path, options, (answer) => {
      const { statusCode = 0 } = answer;
      answer.resume().on("end", () => {
        if (statusCode < 300) end();
        else end(`${kind.name}: ${statusCode}`);
      });
    });
    outgoing.on("error", ({ message }) => end(`${kind.name}: ${message}`));
    outgoing.end(body);
  });
}

const until = began + seconds * 1_000;
if (perSecond === undefined) {
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) await send(performance.now());
    }),
  );
} else {
  const distance = 1_000 / perSecond;
  const count = Math.floor(perSecond * seconds);
  while (sent < count) {
    const due = began + sent * distance;
    const now = performance.now();
    if (due <= now) {
      const sending = send(due);
      waiting.add(sending);
      void sending.then(() => waiting.delete(sending));
    } else await new Promise((resolve) => setTimeout(resolve, Math.min(1, due - now)));
  }
  await Promise.race([Promise.all(waiting), new Promise((resolve) => setTimeout(resolve, 30_000))]);
  if (waiting.size > 0) failures.set("without an answer within 30 s", waiting.size);
}
const result: MixedTimes = { times, failures: Object.fromEntries(failures) };
process.stdout.write(JSON.stringify(result), () => process.exit());
