import {
  NotFoundError,
  type Client,
  type FileCall,
  type ListAnswer,
  type ListCall,
} from "@security-platform/client";
import type { CalledOperation } from "@security-platform/spec";
import { connect, withClient } from "../api/connection.ts";
import type { ConnectionOptions } from "../api/resolve-connection.ts";
import { withPrinter, type OutputOptions } from "../output/output-options.ts";
import type { Printer } from "../output/printer.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import type { Output, CliContext } from "../terminal/cli-context.ts";
import { confirm } from "./confirm.ts";
import { curlOf } from "./curl.ts";
import type { Flag } from "./flags.ts";
import { methodOf, type AnyMethod, type Input } from "./method-of.ts";
import { inParts, readInput } from "./read-input.ts";
import { requestOf } from "./request-of.ts";
import {
  isDestructive,
  pageSizeOf,
  usualWaitSeconds,
  type RequestOptions,
} from "./request-options.ts";
import { tracedFetch } from "./traced-fetch.ts";
import {
  hasFiles,
  printFile,
  saveFile,
  withFiles,
  withTransfer,
  type TransferOptions,
} from "./transfer.ts";
import { waitForWork } from "./wait-for-work.ts";

export type CallOptions = ConnectionOptions & OutputOptions & RequestOptions;

/** A call with everything that it needs. */
interface Call {
  readonly operation: CalledOperation;
  readonly input: Input;
  readonly options: CallOptions;
  readonly context: CliContext;
}

/** Calls an operation with the options of its command, and prints the result. */
export async function runOperation(
  operation: CalledOperation,
  flags: readonly Flag[],
  options: CallOptions,
  context: CliContext,
): Promise<void> {
  const input = await readInput(operation, flags, options, context);
  const call: Call = { operation, input, options, context };
  if (options.dryRun === true) return printRequests(call);
  if (isDestructive(operation) && options.yes !== true) {
    await confirm(`${operation.summary}${targetsOf(input)}?`, context);
  }
  const trace = options.verbose === true ? { fetch: tracedFetch(context.stderr) } : {};
  await withClient(options, context, (client) => send(call, client), trace);
}

/** The first ids, for a question. */
function targetsOf(input: Input): string {
  const ids = Object.values(input).find((value) => Array.isArray(value)) as
    readonly unknown[] | undefined;
  if (ids === undefined) return "";
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : "";
  return `: ${ids.slice(0, 3).join(", ")}${more}`;
}

async function send(call: Call, client: Client): Promise<void> {
  const { operation, options, context } = call;
  const method = methodOf(client, operation);
  if (operation.answer === "file") return download(call, method);
  await withPrinter(options, context, async (printer, signal) => {
    const pageSize = pageSizeOf(operation);
    if (pageSize !== undefined) return list(call, method, pageSize, printer, signal);
    return sendParts(call, client, method, printer, signal);
  });
}

/** Sends one request, or one for each part of the ids. */
async function sendParts(
  { operation, input, options, context }: Call,
  client: Client,
  method: AnyMethod,
  printer: Printer,
  signal: AbortSignal,
): Promise<void> {
  const parts = inParts(operation, input);
  const missing: NotFoundError[] = [];
  const progress = new Progress(context.stderr, "requests");
  let isList = false;
  let isEmpty = false;
  try {
    for (const [index, part] of parts.entries()) {
      if (parts.length > 1) progress.update(index, index / parts.length);
      const sent = await sendPart(operation, part, method, context, signal).catch(
        (error: unknown) => {
          // The records that exist are printed; the error follows.
          if (operation.method !== "get" || !(error instanceof NotFoundError)) throw error;
          missing.push(error);
          return { data: error.found };
        },
      );
      const { wait } = options;
      const seconds = wait === true ? usualWaitSeconds : wait;
      const data =
        seconds === undefined
          ? sent.data
          : await waitForWork(client, operation, sent.data, { seconds, signal }, context);
      isList = Array.isArray(data);
      isEmpty = Array.isArray(data) && data.length === 0 && parts.length === 1;
      if (Array.isArray(data)) await printer.items(data);
      else if (data !== undefined) await printer.value(data);
    }
  } finally {
    progress.end();
  }
  if (isList) await printer.end();
  if (isEmpty && missing.length === 0) tell(context.stderr, "there are no entries");
  if (missing.length > 0) throw new CommandError(missing.map(({ message }) => message).join("\n"));
}

async function sendPart(
  operation: CalledOperation,
  { body, ...parameters }: Input,
  method: AnyMethod,
  context: CliContext,
  signal: AbortSignal,
): Promise<{ readonly data: unknown }> {
  const { input, ...options } = withKey(parameters);
  if (body === undefined) return method(input, { ...options, signal });
  const sent = { ...input, body: await withFiles(operation, body, context) };
  if (!hasFiles(operation)) return method(sent, { ...options, signal });
  return withTransfer("uploading", context, signal, (transfer) =>
    method(sent, { ...options, ...transfer }),
  );
}

/** The client takes the idempotency key as an option of the call. */
function withKey({ "Idempotency-Key": idempotencyKey, ...input }: Input): {
  readonly input: Input;
  readonly idempotencyKey?: string;
} {
  return idempotencyKey === undefined
    ? { input }
    : { input, idempotencyKey: String(idempotencyKey) };
}

/** A hint for people, which scripts must not get. */
function tell(stderr: Output, text: string): void {
  if (stderr.isTTY === true) stderr.write(`secplat: ${text}\n`);
}

/** Prints one page, or pages until the limit. */
async function list(
  { input, options, context }: Call,
  method: AnyMethod,
  pageSize: number,
  printer: Printer,
  signal: AbortSignal,
): Promise<void> {
  const { all, limit } = options;
  const { stderr } = context;
  if (all !== true && (limit ?? 0) <= pageSize) {
    const size = limit === undefined ? {} : { limit };
    const { data, page } = (await method({ ...input, ...size }, { signal })) as ListAnswer<unknown>;
    await printer.items(data.slice(0, limit));
    await printer.end();
    const isPart = page.total !== undefined && page.total > data.length;
    if (isPart && limit === undefined) {
      tell(stderr, `these are ${data.length} of ${page.total}; --all lists all`);
    }
    if (data.length === 0) tell(stderr, "there are no entries");
    return;
  }
  const maximum = limit ?? Infinity;
  const progress = new Progress(stderr, "entries");
  let count = 0;
  try {
    const pages = (method(input, { signal, readAhead: true }) as ListCall<unknown>).pages();
    for await (const { data, page } of pages) {
      const items = data.slice(0, maximum - count);
      await printer.items(items);
      count += items.length;
      const total = page.total === undefined ? undefined : Math.min(page.total, maximum);
      progress.update(count, total === undefined || total === 0 ? null : count / total);
      if (count >= maximum) break;
    }
  } finally {
    progress.end();
  }
  await printer.end();
}

async function download({ input, options, context }: Call, method: AnyMethod): Promise<void> {
  const { stdout, stderr } = context;
  const { save } = options;
  const call = (transfer: TransferOptions): FileCall => method(input, transfer) as FileCall;
  if (save !== undefined) {
    const bytes = await saveFile(call, save, context);
    stderr.write(`${bytes} bytes saved to ${save}\n`);
  } else if (stdout.isTTY === true) {
    throw new CommandError(
      "a file is not shown on a terminal; save it with --save <file>",
      exitCodes.usage,
    );
  } else {
    await printFile(call, context);
  }
}

/** Prints the requests as curl commands; sends nothing. */
async function printRequests({ operation, input, options, context }: Call): Promise<void> {
  const { stdout } = context;
  const pageSize = pageSizeOf(operation);
  const { limit, all } = options;
  const size =
    pageSize === undefined || (limit === undefined && all !== true)
      ? {}
      : { limit: Math.min(limit ?? pageSize, pageSize) };
  for (const { body, ...parameters } of inParts(operation, input)) {
    const isForm = operation.requestBody?.mediaType === "multipart/form-data";
    const sent = body === undefined ? {} : { body: isForm ? new FormData() : body };
    const { input: inputOfPart, ...keyed } = withKey(parameters);
    const { url, method, headers } = await requestOf((fetch) =>
      methodOf(connect(options, context, { fetch }), operation).raw(
        { ...inputOfPart, ...size, ...sent },
        keyed,
      ),
    );
    const shown = new Headers(headers);
    // The client would send another one with each call.
    if (keyed.idempotencyKey === undefined) shown.delete("idempotency-key");
    stdout.write(curlOf(operation, { url, method, headers: shown }, body));
  }
  if (options.wait !== undefined && operation.wait !== undefined) {
    const { state, done, readBy } = operation.wait;
    stdout.write(`# and requests of ${readBy} until the ${state} is ${done.join(" or ")}\n`);
  }
  if (all === true || (limit ?? 0) > (pageSize ?? Infinity)) {
    stdout.write("# and one request for each further page\n");
  }
}
