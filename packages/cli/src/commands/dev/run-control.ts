import { resolve } from "node:path";
import { ApiError, NetworkError, UnexpectedResponseError } from "@security-platform/client";
import {
  createControlClient,
  type ControlOptions as ClientOptions,
} from "@security-platform/client/control";
import type { CalledOperation } from "@security-platform/spec";
import { trust } from "../../api/connection.ts";
import { sameServer } from "../../api/resolve-connection.ts";
import { findServer } from "../../api/running-server.ts";
import { curlOf } from "../../calls/curl.ts";
import type { Flag } from "../../calls/flags.ts";
import type { AnyMethod } from "../../calls/method-of.ts";
import { readInput } from "../../calls/read-input.ts";
import type { RequestOptions } from "../../calls/request-options.ts";
import { requestOf } from "../../calls/request-of.ts";
import { tracedFetch } from "../../calls/traced-fetch.ts";
import { withPrinter, type OutputOptions } from "../../output/output-options.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { version } from "../../version.ts";

export type ControlOptions = RequestOptions &
  OutputOptions & { readonly url?: string; readonly data: string };

/** Calls an operation of the control plane with the options of its command, and prints the result. */
export async function runControl(
  operation: CalledOperation,
  flags: readonly Flag[],
  options: ControlOptions,
  context: CliContext,
): Promise<void> {
  const input = await readInput(operation, flags, options, context);
  const baseUrl = serverUrl(options, context);
  const methodWith = (more: ClientOptions): AnyMethod => {
    const client = createControlClient({ baseUrl, userAgent: `secplat/${version()}`, ...more });
    return client[operation.methodName as keyof typeof client] as unknown as AnyMethod;
  };
  if (options.dryRun === true) {
    const request = await requestOf((fetch) => methodWith({ fetch }).raw(input));
    context.stdout.write(curlOf(operation, request, input.body));
    return;
  }
  await withPrinter(options, context, async (printer, signal) => {
    const trace = options.verbose === true ? { fetch: tracedFetch(context.stderr) } : {};
    const { data } = await methodWith(trace)(input, { signal }).catch((error: unknown) => {
      throw explained(error, operation, baseUrl);
    });
    const list = listIn(data);
    if (list !== undefined) {
      await printer.items(list);
      await printer.end();
    } else if (data !== undefined) {
      await printer.value(data);
    }
  });
}

function serverUrl({ url, data }: ControlOptions, context: CliContext): string {
  const { environment, workingFolder } = context;
  const requestedUrl = url ?? (environment["SECPLAT_URL"] || undefined);
  const local = findServer(resolve(workingFolder, data));
  if (local?.ca_file && sameServer(requestedUrl ?? local.url, local.url)) {
    trust(local.ca_file, environment);
  }
  const base = requestedUrl ?? local?.url;
  if (base === undefined) {
    throw new CommandError(
      "no server runs on this data folder; start one with secplat serve --dev, or set --url",
      exitCodes.usage,
    );
  }
  if (URL.canParse(base)) return base.replace(/(?<!\/)\/+$/, "");
  throw new CommandError(`--url cannot be '${base}'. Expected a URL.`, exitCodes.usage);
}

/** The error in the words of a person who started the server. */
function explained(error: unknown, { path }: CalledOperation, url: string): unknown {
  const { origin } = new URL(url);
  const failed = (message: string): CommandError =>
    new CommandError(message, exitCodes.failure, { cause: error });
  if (error instanceof NetworkError) {
    const { cause } = error;
    return failed(
      `cannot reach ${origin}: ${describeError(cause ?? error)}; secplat serve --dev starts a server`,
    );
  }
  if (error instanceof UnexpectedResponseError) {
    return failed(`${origin} did not respond with JSON; is it a server of secplat serve --dev?`);
  }
  if (!(error instanceof ApiError)) return error;
  const message = error.errors.map((each) => each.message).join("\n");
  const isMissing = error.status === 404 && message.includes("_control");
  return failed(
    isMissing ? `${origin} has no /_control${path}; start the server with --dev` : message,
  );
}

/** The list of an object that has nothing else. */
function listIn(value: unknown): readonly unknown[] | undefined {
  const members = Object.values((value ?? {}) as object) as readonly unknown[];
  const [only] = members;
  return members.length === 1 && Array.isArray(only) ? (only as readonly unknown[]) : undefined;
}
