import { joinCounts, joinMetrics, type ProcessMetrics } from "@security-platform/server/internal";

/** Longer than a worker waits for a value of its database. */
const milliseconds = 5_000;

/**
 * What the workers measure of themselves. A sum of counts never falls: those of a worker that has ended stay in it, and
 * so do the last known ones of a worker that does not answer.
 */
export class WorkerMetrics {
  readonly #count: number;
  readonly #reports = new Set<WorkerReports>();
  #ended: Promise<ProcessMetrics> = Promise.resolve([]);

  /** `count`: how many workers there should be. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Adds a worker that is ready. `ask` makes it answer with its metrics. */
  add(ask: () => void): WorkerReports {
    const reports = new WorkerReports(ask);
    this.#reports.add(reports);
    return reports;
  }

  /** Keeps the counts of a worker that has ended. */
  end(reports: WorkerReports): void {
    this.#reports.delete(reports);
    reports.end();
    const { latest } = reports;
    if (latest.length > 0) this.#ended = this.#ended.then((ended) => joinCounts([ended, latest]));
  }

  /** The metrics of all workers in the text format of Prometheus. */
  async text(): Promise<string> {
    await Promise.all([...this.#reports].map((reports) => reports.ask()));
    // Before the next wait, in which a worker may end.
    const reports = [...this.#reports].map(({ isCurrent, latest }) => ({ isCurrent, latest }));
    const latestOf = (current: boolean) =>
      reports.filter(({ isCurrent }) => isCurrent === current).map(({ latest }) => latest);
    const ended = await this.#ended;
    const parts = { workers: this.#count, current: latestOf(true) };
    return joinMetrics({ ...parts, former: [...latestOf(false), ended] });
  }
}

/** The reports of one worker. It has at most one question to answer. */
export class WorkerReports {
  readonly #send: () => void;
  #question: Promise<void> | null = null;
  #close: () => void = () => undefined;
  latest: ProcessMetrics = [];
  /** Whether the worker has answered the last question. */
  isCurrent = false;

  constructor(send: () => void) {
    this.#send = send;
  }

  /** Resolves when the worker has answered, or has been silent for too long: then at once, until it answers. */
  ask(): Promise<void> {
    if (this.#question !== null) return this.#question;
    const question = new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.isCurrent = false;
        resolve();
      }, milliseconds);
      this.#close = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#question = question;
    this.#send();
    return question;
  }

  /** Takes an answer; null if the worker cannot read its metrics. */
  answer(values: ProcessMetrics | null): void {
    this.isCurrent = values !== null;
    if (values !== null) this.latest = values;
    this.#close();
    this.#question = null;
  }

  /** Ends the wait for an answer. */
  end(): void {
    this.isCurrent = false;
    this.#close();
  }
}
