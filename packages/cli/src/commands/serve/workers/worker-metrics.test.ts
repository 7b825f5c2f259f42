import type { ProcessMetrics } from "@security-platform/server/internal";
import { expect, onTestFinished, test, vi } from "vitest";
import { WorkerMetrics, type WorkerReports } from "./worker-metrics.ts";

/** The metrics of a worker, as they arrive from its process. */
const metricsWith = (responses: number): ProcessMetrics => {
  const help = "any";
  const aggregator = "sum";
  const named = (name: string, type: string, values: object[]) => ({
    name,
    type,
    help,
    aggregator,
    values,
  });
  const labels = { operation: "list" };
  return [
    named("responses_total", "counter", [{ labels, value: responses }]),
    named("seconds", "histogram", [
      { metricName: "seconds_bucket", labels: { le: "+Inf", ...labels }, value: responses },
      { metricName: "seconds_sum", labels, value: responses / 10 },
      { metricName: "seconds_count", labels, value: responses },
    ]),
    named("connections", "gauge", [{ labels: {}, value: 7 }]),
    named("secplat_workers_reporting", "gauge", [{ labels: {}, value: 1 }]),
  ];
};

interface Fake {
  readonly reports: WorkerReports;
  /** What the worker answers at once. Undefined: it is silent. */
  answer: number | null | undefined;
  questions: number;
}

function workerOf(metrics: WorkerMetrics, answer: Fake["answer"]): Fake {
  const fake: Fake = {
    answer,
    questions: 0,
    reports: metrics.add(() => {
      fake.questions += 1;
      if (fake.answer !== undefined) say(fake, fake.answer);
    }),
  };
  return fake;
}

const say = ({ reports }: Fake, count: number | null): void =>
  reports.answer(count === null ? null : metricsWith(count));

/** The values of a page that matter here. */
async function read(text: Promise<string>) {
  const page = await text;
  const value = (name: string): number | undefined => {
    const found = new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "m").exec(page)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return {
    responses: value("responses_total"),
    buckets: value("seconds_bucket"),
    observations: value("seconds_count"),
    connections: value("connections"),
    workers: value("secplat_workers"),
    reporting: value("secplat_workers_reporting"),
  };
}

const counts = (responses: number) => ({
  responses,
  buckets: responses,
  observations: responses,
});

test("the counts of workers that end stay in the sums, and their gauges do not", async () => {
  const metrics = new WorkerMetrics(2);
  const [first, second] = [workerOf(metrics, 20), workerOf(metrics, 20)];
  const whole = { connections: 14, workers: 2, reporting: 2 };
  expect(await read(metrics.text())).toEqual({ ...counts(40), ...whole });
  metrics.end(first.reports);
  const one = { connections: 7, workers: 2, reporting: 1 };
  expect(await read(metrics.text())).toEqual({ ...counts(40), ...one });
  workerOf(metrics, 3);
  expect(await read(metrics.text())).toEqual({ ...counts(43), ...whole });
  // The last counts of a worker that stops in order arrive without a question.
  say(second, 25);
  metrics.end(second.reports);
  expect(await read(metrics.text())).toEqual({ ...counts(48), ...one });
});

test("no count is lost when all workers end, or one before anyone has asked it", async () => {
  const metrics = new WorkerMetrics(2);
  const [first, second] = [workerOf(metrics, 1), workerOf(metrics, 2)];
  await metrics.text();
  metrics.end(first.reports);
  metrics.end(second.reports);
  metrics.end(workerOf(metrics, 9).reports);
  const none = { connections: undefined, workers: 2, reporting: 0 };
  expect(await read(metrics.text())).toEqual({ ...counts(3), ...none });
});

test("a worker that ends during a question does not hold up the page", async () => {
  const metrics = new WorkerMetrics(1);
  const worker = workerOf(metrics, 4);
  await metrics.text();
  worker.answer = undefined;
  const page = metrics.text();
  metrics.end(worker.reports);
  expect((await read(page)).responses).toBe(4);
});

test("a silent worker is waited for once, counts with its last values, and is asked again after its answer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const metrics = new WorkerMetrics(2);
  workerOf(metrics, 10);
  const silent = workerOf(metrics, 30);
  expect(await read(metrics.text())).toMatchObject({ ...counts(40), reporting: 2 });
  silent.answer = undefined;
  const partial = { ...counts(40), connections: 7, workers: 2, reporting: 1 };
  const pages = [metrics.text(), metrics.text()];
  await vi.advanceTimersByTimeAsync(5_000);
  for (const page of pages) expect(await read(page)).toEqual(partial);
  // The clock does not advance.
  expect(await read(metrics.text())).toEqual(partial);
  expect(silent.questions).toBe(2);
  say(silent, 31);
  silent.answer = 32;
  expect(await read(metrics.text())).toMatchObject({ ...counts(42), reporting: 2 });
  expect(vi.getTimerCount()).toBe(0);
});

test("a worker that cannot read its metrics counts with its last values", async () => {
  const metrics = new WorkerMetrics(1);
  const worker = workerOf(metrics, 5);
  await metrics.text();
  worker.answer = null;
  expect(await read(metrics.text())).toMatchObject({ ...counts(5), workers: 1, reporting: 0 });
  worker.answer = 6;
  expect(await read(metrics.text())).toMatchObject({ ...counts(6), workers: 1, reporting: 1 });
});
