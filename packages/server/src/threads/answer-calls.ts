import { parentPort } from "node:worker_threads";

/** A message to a thread. */
export interface RequestMessage<Request> {
  readonly call: number;
  readonly request: Request;
}

/** A message from a thread. */
export type ReplyMessage<Reply> =
  | { readonly call: number; readonly reply: Reply }
  | { readonly call: number; readonly error: Error };

/**
 * Answers the calls of a `Thread`; an error that is thrown fails the call only. The memory that `moved` names
 * goes to the caller without a copy.
 */
export function answerCalls<Request, Reply>(
  answer: (request: Request) => Reply,
  moved: (reply: Reply) => readonly ArrayBuffer[] = () => [],
): void {
  answering<Request>(({ call, request }) => {
    try {
      const reply = answer(request);
      parentPort?.postMessage({ call, reply } satisfies ReplyMessage<Reply>, moved(reply));
    } catch (error) {
      parentPort?.postMessage(failed(call, error));
    }
  });
}

/** Like `answerCalls`, for work that waits for files, for example. One call after the other. */
export function answerCallsInTurn<Request, Reply>(
  answer: (request: Request) => Promise<Reply>,
): void {
  let last = Promise.resolve();
  answering<Request>(({ call, request }) => {
    last = last
      .then(() => answer(request))
      .then(
        (reply): ReplyMessage<Reply> => ({ call, reply }),
        (error: unknown) => failed(call, error),
      )
      .then((answered) => parentPort?.postMessage(answered));
  });
}

const answering = <Request>(take: (message: RequestMessage<Request>) => void): void =>
  void parentPort?.on("message", take);

const failed = (
  call: number,
  error: unknown,
): { readonly call: number; readonly error: Error } => ({
  call,
  error: error instanceof Error ? error : new Error(String(error)),
});
