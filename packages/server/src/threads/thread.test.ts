import { Worker } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { Thread } from "./thread.ts";

afterEach(() => void vi.restoreAllMocks());

const echo = new URL(
  `data:text/javascript,${encodeURIComponent(
    `import { parentPort } from "node:worker_threads";
     parentPort.on("message", ({ call, request }) => {
       if (request !== "never") parentPort.postMessage({ call, reply: request });
     });`,
  )}`,
);

/** Whether the worker keeps the process alive, by the order of its calls. */
function watch() {
  const state = { keeps: true };
  const { ref, unref } = Worker.prototype;
  vi.spyOn(Worker.prototype, "ref").mockImplementation(function (this: Worker) {
    state.keeps = true;
    return ref.call(this);
  });
  vi.spyOn(Worker.prototype, "unref").mockImplementation(function (this: Worker) {
    state.keeps = false;
    return unref.call(this);
  });
  return state;
}

test.each([
  ["stays", { stays: true }],
  ["ends after its calls", { stays: false, idleMilliseconds: 60_000 }],
])(
  "the end of a thread that %s keeps the process alive in spite of a late reply",
  async (_, options) => {
    const state = watch();
    const thread = new Thread<string, string>(echo, options);
    expect(await thread.call("a")).toBe("a");
    expect(state.keeps).toBe(false);
    const { terminate } = Worker.prototype;
    const keeps: boolean[] = [];
    vi.spyOn(Worker.prototype, "terminate").mockImplementation(function (this: Worker) {
      keeps.push(state.keeps);
      // The reply was already on its way.
      this.emit("message", { call: 2, reply: "b" });
      keeps.push(state.keeps);
      return terminate.call(this);
    });
    const late = thread.call("never");
    await thread.end();
    expect(keeps).toEqual([true, true]);
    expect(await late).toBe("b");
    vi.mocked(Worker.prototype.terminate).mockRestore();
    expect(await thread.call("c")).toBe("c");
    await thread.end();
  },
);

test("calls that wait are rejected at the end, which may be repeated", async () => {
  const thread = new Thread<string, string>(echo, { stays: true });
  const waiting = thread.call("never");
  const rejected = expect(waiting).rejects.toThrow("the thread ended with");
  expect(await thread.call("a")).toBe("a");
  await Promise.all([thread.end(), thread.end()]);
  await rejected;
  await thread.end();
});
