import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { SpanSender, type EndedSpan, type SpanExporter } from "./span-sender.ts";

const span: EndedSpan = { spanContext: () => ({ traceFlags: 1 }) };
const unsampled: EndedSpan = { spanContext: () => ({ traceFlags: 0 }) };

/** A sender of batches of two spans, and what it logs. `answer` ends the oldest export. */
function senderTo(options: { readonly answers?: boolean } = {}) {
  const lines: unknown[][] = [];
  const sizes: number[] = [];
  const open: ((code: number) => void)[] = [];
  const clock = { milliseconds: 0 };
  const exporter: SpanExporter = {
    export: (spans, done) => {
      sizes.push(spans.length);
      if (options.answers === true) done({ code: 0 });
      else open.push((code) => done({ code, ...(code === 0 ? {} : { error: new Error("away") }) }));
    },
    shutdown: async () => undefined,
  };
  const sender = new SpanSender({
    exporter,
    logger: {
      warn: (...words: unknown[]) => void lines.push(["warn", ...words]),
      info: (...words: unknown[]) => void lines.push(["info", ...words]),
    } as never,
    untraced: (work) => work(),
    maxQueueSize: 3,
    maxBatchSize: 2,
    stopMilliseconds: 5,
    now: () => clock.milliseconds,
  });
  const end = (count: number): void => {
    for (let index = 0; index < count; index += 1) sender.onEnd(span);
  };
  const answer = async (code: number): Promise<void> => {
    open.shift()?.(code);
    await setImmediate();
  };
  return { sender, lines, sizes, clock, end, answer };
}

test("one batch is sent at a time, a limited number waits, and the log counts the rest", async () => {
  const { sender, lines, sizes, clock, end, answer } = senderTo();
  sender.onEnd(unsampled);
  end(2);
  await setImmediate();
  end(5);
  expect(sizes).toEqual([2]);
  const lost = "spans of traces are lost";
  const full = "too many spans wait for the collector";
  expect(lines.splice(0)).toEqual([["warn", { spans: 1, reason: full }, lost]]);
  await answer(1);
  expect(lines.splice(0)).toEqual([["warn", { spans: 3, reason: "away" }, lost]]);
  await answer(1);
  expect(lines).toEqual([]);
  clock.milliseconds = 60_000;
  end(5);
  await setImmediate();
  expect(lines.splice(0)).toEqual([["warn", { spans: 3, reason: "away" }, lost]]);
  await answer(0);
  expect(lines.splice(0)).toEqual([["info", { spans_lost: 7 }, "traces are sent again"]]);
});

test("a stop sends the rest", async () => {
  const { sender, lines, sizes, end } = senderTo({ answers: true });
  end(1);
  await sender.shutdown();
  end(1);
  expect([sizes, lines, sender.isHeld]).toEqual([[1], [], false]);
});

test("a stop does not wait for a collector that does not answer, and logs what is lost", async () => {
  const { sender, lines, sizes, end } = senderTo();
  end(5);
  await sender.shutdown();
  expect(sizes).toEqual([2, 2, 1]);
  expect(sender.isHeld).toBe(true);
  expect(lines).toEqual([
    [
      "warn",
      { spans: 5, reason: "the collector did not have them when the server stopped" },
      "spans of traces are lost",
    ],
  ]);
});
