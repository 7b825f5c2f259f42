import { expect, test } from "vitest";
import { WriteQueue, type Writer } from "./write-queue.ts";

/** Remembers what it was told; `failing` throws once it comes. */
class RecordingWriter implements Writer {
  readonly statements: string[] = [];
  failing: string | null = null;
  inTransaction = false;

  async begin(): Promise<void> {
    await this.run("begin");
    this.inTransaction = true;
  }

  async run(script: string): Promise<void> {
    this.statements.push(script);
    if (script === this.failing) {
      this.inTransaction = false;
      throw new Error(`${script} failed`);
    }
    if (script === "commit" || script === "rollback") this.inTransaction = false;
  }
}

const outcomes = async (turns: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(turns)).map((outcome) =>
    outcome.status === "fulfilled" ? `${String(outcome.value)}` : (outcome.reason as Error).message,
  );

test("what comes while one is under way shares its commit", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const turns = ["a", "b", "c"].map((name) => queue.transact(async () => name));
  expect(await outcomes(turns)).toEqual(["a", "b", "c"]);
  expect(writer.statements.filter((text) => text === "commit")).toHaveLength(1);
});

test("nobody is told of success before the commit", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const seen: string[] = [];
  await queue.transact(async () => "done").then(() => seen.push(...writer.statements));
  expect(seen.at(-1)).toBe("commit");
});

test("one that fails is undone alone", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const turns = [
    queue.transact(async () => "a"),
    queue.transact(() => Promise.reject(new Error("b is wrong"))),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(turns)).toEqual(["a", "b is wrong", "c"]);
  expect(writer.statements).toContain("rollback to turn; release turn");
});

test("the first that fails leaves a transaction without work, and the next begin another", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const turns = [
    queue.transact(() => Promise.reject(new Error("a is wrong"))),
    queue.transact(async () => "b"),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(turns)).toEqual(["a is wrong", "b", "c"]);
  expect(writer.statements).toEqual([
    "begin",
    "rollback",
    "begin",
    "savepoint turn",
    "release turn",
    "commit",
  ]);
});

test("a commit that fails fails everyone who shares it, and the next go on", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  writer.failing = "commit";
  const turns = ["a", "b"].map((name) => queue.transact(async () => name));
  expect(await outcomes(turns)).toEqual(["commit failed", "commit failed"]);
  writer.failing = null;
  expect(await queue.transact(async () => "later")).toBe("later");
});

test("an engine that gives the transaction up fails those before and spares those after", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  const turns = [
    queue.transact(async () => "a"),
    queue.transact(async () => {
      writer.inTransaction = false;
      throw new Error("the disk is full");
    }),
    queue.transact(async () => "c"),
  ];
  expect(await outcomes(turns)).toEqual(["the disk is full", "the disk is full", "c"]);
});

test("a lock that cannot be had fails one after the other, and runs nothing", async () => {
  const writer = new RecordingWriter();
  const queue = new WriteQueue(writer);
  writer.failing = "begin";
  const first = queue.transact(async () => "a");
  const second = queue.transact(async () => {
    throw new Error("never run");
  });
  await expect(first).rejects.toThrow("begin failed");
  await expect(second).rejects.toThrow("begin failed");
  expect(writer.statements).toEqual(["begin", "begin"]);
});

test("is idle when everything is through", async () => {
  const queue = new WriteQueue(new RecordingWriter());
  const turns: string[] = [];
  void queue.transact(async () => turns.push("a"));
  void queue.transact(async () => turns.push("b"));
  await queue.idle();
  expect(turns).toEqual(["a", "b"]);
});
