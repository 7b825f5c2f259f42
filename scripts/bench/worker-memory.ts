import type { openPage } from "../../packages/browser/tests/support/page-scope.ts";

type Page = Awaited<ReturnType<typeof openPage>>;

/** Commands and events of the browser's protocol that the library's types lack. */
interface ProtocolSession {
  send(method: string, parameters: object): Promise<unknown>;
  on(event: string, listener: (event: never) => void): void;
}

interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize: number;
  readonly backingStorageSize: number;
}

/**
 * Bytes of the worker that the page starts next, in objects, buffers and WebAssembly, after a collection of garbage.
 */
export async function workerMemory(page: Page): Promise<() => Promise<number>> {
  const session = (await page.context().newCDPSession(page)) as unknown as ProtocolSession;
  const attached = Promise.withResolvers<string>();
  const replies = new Map<number, (result: unknown) => void>();
  session.on(
    "Target.attachedToTarget",
    ({ sessionId, targetInfo }: { sessionId: string; targetInfo: { type: string } }) => {
      if (targetInfo.type === "worker") attached.resolve(sessionId);
    },
  );
  session.on("Target.receivedMessageFromTarget", ({ message }: { message: string }) => {
    const { id, result } = JSON.parse(message) as { id?: number; result: unknown };
    if (id !== undefined) replies.get(id)?.(result);
  });
  const options = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false };
  await session.send("Target.setAutoAttach", options);
  const ask = async (method: string): Promise<unknown> => {
    const sessionId = await attached.promise;
    const id = replies.size + 1;
    const reply = new Promise((resolve) => replies.set(id, resolve));
    const message = JSON.stringify({ id, method });
    await session.send("Target.sendMessageToTarget", { sessionId, message });
    return reply;
  };
  return async () => {
    await ask("HeapProfiler.collectGarbage");
    const usage = (await ask("Runtime.getHeapUsage")) as HeapUsage;
    return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
  };
}
