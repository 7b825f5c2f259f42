import { expect, test } from "vitest";
import { WriteQueue, type Writer } from "./write-queue.ts";

/** Records the scripts that it runs. The script `failing` throws. */
class RecordingWriter implements Writer {
  readonly statements: string[] = [];
  failing: string | null = null;
  /** A statement whose failure becomes known later. */
  unsettled: string | null = null;
  inTransaction = false;
  onBegin: (() => void) | null = null;

  async begin(): Promise<void> {
    this.onBegin?.();
    await this.run("begin");
    this.inTransaction = true;
  }

  undo(script: string): Promise<void> {
    return this.run(script);
  }

  end(script: string): Promise<void> {
    return this.run(script);
  }

  async run(script: string): Promise<void> {
    this.statements.push(script);
    if (this.unsettled !== null) {
      const error = new Error(`${this.unsettled} failed late`);
      this.unsettled = null;
      throw error;
    }
    if (script === this.failing) {
      this.inTransaction = false;
      throw new Error(`${script} failed`);
    }
    if (script === "commit" || script === "rollback") this.inTransaction = false;
  }
}

const outcomes = async (tasks: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(tasks)).map((outcome) =>
    outcome.status === "fulfilled" ? `${String(outcome.value)}` : (outcome.reason as Error).message,
  );

test("transactions that arrive while one runs share its commit", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const tasks = ["a", "b", "c"].map((name) => queue.transact(async () => name));
  expect(await outcomes(tasks)).toEqual(["a", "b", "c"]);
  expect(writer.statements.filter((text) => text === "commit")).toHaveLength(1);
});

test("with quick commits, the first transaction does not wait, and those that arrive meanwhile share the next", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer, { quickCommits: true });
  const tasks = ["a", "b", "c"].map((name) => queue.transact(async () => name));
  expect(writer.statements).toEqual(["begin"]);
  expect(await outcomes(tasks)).toEqual(["a", "b", "c"]);
  expect(writer.statements.filter((text) => text === "commit")).toHaveLength(1);
});

test("callers get a result only after the commit", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const seen: string[] = [];
  await queue.transact(async () => "done").then(() => seen.push(...writer.statements));
  expect(seen.at(-1)).toBe("commit");
});

test("a failed transaction is rolled back alone", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const tasks = [
    queue.transact(async () => "a"),
    queue.transact(() => Promise.reject(new Error("b is wrong"))),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(tasks)).toEqual(["a", "b is wrong", "c"]);
  expect(writer.statements).toEqual([
    "begin",
    "savepoint task",
    "rollback to task",
    "release task",
    "commit",
  ]);
});

test("after a failed first transaction, the next one begins a new commit", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const tasks = [
    queue.transact(() => Promise.reject(new Error("a is wrong"))),
    queue.transact(async () => "b"),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(tasks)).toEqual(["a is wrong", "b", "c"]);
  expect(writer.statements).toEqual([
    "begin",
    "rollback",
    "begin",
    "savepoint task",
    "release task",
    "commit",
  ]);
});

test("a late failure fails only the later transaction", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const tasks = [
    queue.transact(async () => "a"),
    queue.transact(async () => void (writer.unsettled = "insert")),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(tasks)).toEqual(["a", "insert failed late", "c"]);
  expect(writer.statements).toEqual([
    "begin",
    "savepoint task",
    "release task; savepoint task",
    "rollback to task",
    "release task",
    "commit",
  ]);
});

test("a failed commit fails all transactions that share it, and later ones succeed", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  writer.failing = "commit";
  const tasks = ["a", "b"].map((name) => queue.transact(async () => name));
  expect(await outcomes(tasks)).toEqual(["commit failed", "commit failed"]);
  writer.failing = null;
  expect(await queue.transact(async () => "later")).toBe("later");
});

test("if the engine ends the transaction, earlier ones fail and later ones succeed", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const tasks = [
    queue.transact(async () => "a"),
    queue.transact(async () => {
      writer.inTransaction = false;
      throw new Error("the disk is full");
    }),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(tasks)).toEqual(["the disk is full", "the disk is full", "c"]);
});

test("a late failure fails only the first transaction", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const tasks = [
    queue.transact(async () => void (writer.unsettled = "insert")),
    queue.transact(async () => "b"),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(tasks)).toEqual(["insert failed late", "b", "c"]);
  expect(writer.statements.slice(0, 4)).toEqual(["begin", "savepoint task", "rollback", "begin"]);
});

test("without the write lock, the transactions that have waited for it fail and run nothing", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  writer.failing = "begin";
  const late: Promise<string>[] = [];
  const neverRun = () => Promise.reject(new Error("never run"));
  const waiting = [queue.transact(neverRun), queue.transact(neverRun)];
  writer.onBegin = () => {
    writer.onBegin = null;
    late.push(queue.transact(async () => "late"));
  };
  expect(await outcomes(waiting)).toEqual(["begin failed", "begin failed"]);
  writer.failing = null;
  expect(await outcomes(late)).toEqual(["late"]);
  expect(writer.statements).toEqual(["begin", "begin", "commit"]);
});

test("is idle after all transactions have ended", async () => {
  let idle = 0;
  const queue = new WriteQueue(new RecordingWriter(), { onIdle: () => (idle += 1) });
  const tasks: string[] = [];
  void queue.transact(async () => tasks.push("a"));
  void queue.transact(async () => tasks.push("b"));
  await queue.idle();
  expect(tasks).toEqual(["a", "b"]);
  expect(idle).toBe(1);
});

test("transactions share a commit only with those of their writer", async () => {
  const writer = new RecordingWriter();
  const other = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const work = (name: string, own: RecordingWriter) => async () => {
    for (const each of new Set([writer, other])) each.statements.push(each === own ? name : "-");
    return name;
  };
  const tasks = [
    queue.transact(work("a", writer)),
    queue.transact(work("b", writer)),
    queue.transact(work("c", other), other),
    queue.transact(work("d", writer)),
  ];
  expect(await outcomes(tasks)).toEqual(["a", "b", "c", "d"]);
  expect(other.statements).toEqual(["-", "-", "begin", "c", "commit", "-"]);
  const [first, second] = [writer.statements.indexOf("commit"), writer.statements.indexOf("-")];
  expect(first).toBeLessThan(second);
  expect(writer.statements.slice(second)).toEqual(["-", "begin", "d", "commit"]);
});
