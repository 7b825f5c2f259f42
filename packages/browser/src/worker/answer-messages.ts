import type {
  FromWorker,
  SentRequest,
  SentResponse,
  ToWorker,
  Wait,
  WorkerOptions,
} from "./protocol.ts";
import type { Template } from "@security-platform/server/portable";
import { startInWorker, type HostedPlatform } from "./host.ts";
import { membersOf, type Members } from "./members.ts";

/** One end of a channel of messages. */
export interface Port {
  addEventListener(type: "message", listener: (event: { readonly data: ToWorker }) => void): void;
  postMessage(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
}

interface AnsweringPlatform extends HostedPlatform {
  readonly members: Members;
}

/** Answers the messages of a page. The first one starts the platform. */
export function answerMessages(port: Port, template: Promise<Template>): void {
  const running = new Map<number, AbortController>();
  let hosted: Promise<AnsweringPlatform> | undefined;

  const start = async (options: WorkerOptions): Promise<unknown> => {
    hosted ??= startInWorker(options, template).then((platform) => ({
      ...platform,
      members: membersOf(platform),
    }));
    const { cid, clientId, clientSecret, now } = await hosted;
    return { cid, clientId, clientSecret, now };
  };

  const started = (): Promise<AnsweringPlatform> => {
    if (hosted === undefined) throw new Error("the platform is not started");
    return hosted;
  };

  const untilAborted = async <Result>(
    number: number,
    work: (platform: AnsweringPlatform["platform"], signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const abort = new AbortController();
    running.set(number, abort);
    try {
      return await work((await started()).platform, abort.signal);
    } finally {
      running.delete(number);
    }
  };

  const send = (number: number, request: SentRequest): Promise<SentResponse> =>
    untilAborted(number, async (platform, signal) => {
      const body = request.body === null ? null : new Uint8Array(request.body);
      const response = await platform.dispatch({ ...request, body, signal });
      return { ...response, body: response.body === null ? null : bufferOf(response.body) };
    });

  const wait = (number: number, { filter, count }: Wait): Promise<unknown> =>
    untilAborted(number, ({ controls }, signal) =>
      controls.requests.waitFor(filter, { signal, ...(count === undefined ? {} : { count }) }),
    );

  const call = async ({
    call: name,
    parameters,
  }: Extract<ToWorker, { readonly call: unknown }>) => {
    const { members } = await started();
    return (members[name] as (...given: readonly unknown[]) => unknown)(...parameters);
  };

  port.addEventListener("message", ({ data }) => {
    if (!isOfPage(data)) return;
    if ("abort" in data) {
      running.get(data.abort)?.abort();
      return;
    }
    const { number } = data;
    const work = async (): Promise<unknown> => {
      if ("start" in data) return start(data.start);
      if ("wait" in data) return wait(number, data.wait);
      return "fetch" in data ? send(number, data.fetch) : call(data);
    };
    void work()
      .then((result) => port.postMessage({ number, result }, transferred(result)))
      .catch((error: unknown) => port.postMessage({ number, error: cloneable(error) }, []));
  });
}

/** Other code, such as an extension of the browser, may send messages of its own. */
const isOfPage = (data: unknown): data is ToWorker =>
  typeof data === "object" && data !== null && ("number" in data || "abort" in data);

/** The bytes alone, to be transferred. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const isWhole = byteLength === buffer.byteLength;
  return (isWhole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}

function transferred(result: unknown): readonly ArrayBuffer[] {
  const body = (result as { readonly body?: unknown } | null | undefined)?.body;
  return body instanceof ArrayBuffer ? [body] : [];
}

/** A copy of an error without members that are functions, because a message cannot contain them. */
function cloneable(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const constructors: readonly (typeof Error)[] = [RangeError, TypeError];
  const Known = constructors.find((each) => error instanceof each) ?? Error;
  return new Known(error.message);
}
