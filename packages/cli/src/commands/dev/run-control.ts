import { resolve } from "node:path";
import type { CalledOperation } from "@security-platform/spec";
import { trust } from "../../api/connection.ts";
import { sameServer } from "../../api/resolve-connection.ts";
import { findServer } from "../../api/running-server.ts";
import { curlOf } from "../../calls/curl.ts";
import type { Flag } from "../../calls/flags.ts";
import type { Input } from "../../calls/method-of.ts";
import { readInput } from "../../calls/read-input.ts";
import type { RequestOptions } from "../../calls/request-options.ts";
import { tracedFetch } from "../../calls/traced-fetch.ts";
import { withPrinter, type OutputOptions } from "../../output/output-options.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";

export type ControlOptions = RequestOptions &
  OutputOptions & { readonly url?: string; readonly data: string };

/** Calls an operation of the control plane with the options of its command, and prints the result. */
export async function runControl(
  operation: CalledOperation,
  flags: readonly Flag[],
  options: ControlOptions,
  surroundings: Surroundings,
): Promise<void> {
  const input = await readInput(operation, flags, options, surroundings);
  const request = requestOf(operation, input, serverUrl(options, surroundings));
  if (options.dryRun === true) {
    surroundings.stdout.write(curlOf(operation, request, input.body));
    return;
  }
  await withPrinter(options, surroundings, async (printer, signal) => {
    const send = options.verbose === true ? tracedFetch(surroundings.stderr) : fetch;
    const value = await valueOf(request, (sent) => send(new Request(sent, { signal })), signal);
    const list = listIn(value);
    if (list !== undefined) {
      await printer.items(list);
      await printer.end();
    } else if (value !== undefined) {
      await printer.value(value);
    }
  });
}

function serverUrl({ url, data }: ControlOptions, surroundings: Surroundings): string {
  const { environment, workingFolder } = surroundings;
  const chosen = url ?? (environment["SECPLAT_URL"] || undefined);
  const local = findServer(resolve(workingFolder, data));
  if (local?.ca_file && sameServer(chosen ?? local.url, local.url)) {
    trust(local.ca_file, environment);
  }
  const base = chosen ?? local?.url;
  if (base === undefined) {
    throw new CommandError(
      "no server runs on this data folder; start one with secplat serve --dev, or set --url",
      exitCodes.usage,
    );
  }
  if (URL.canParse(base)) return base.replace(/\/+$/, "");
  throw new CommandError(`--url cannot be '${base}'. Expected a URL.`, exitCodes.usage);
}

function requestOf(
  { method, path, parameters }: CalledOperation,
  input: Input,
  base: string,
): Request {
  const { body, ...values } = input;
  const url = new URL(
    `${base}/_control${path.replaceAll(/\{(.+?)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))}`,
  );
  for (const { name } of parameters.filter((each) => each.in === "query")) {
    if (values[name] !== undefined) url.searchParams.set(name, String(values[name]));
  }
  return new Request(url, {
    method: method.toUpperCase(),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
}

/** The JSON value of a response; undefined without a body. */
async function valueOf(
  request: Request,
  send: (request: Request) => Promise<Response>,
  signal: AbortSignal,
): Promise<unknown> {
  const { origin, pathname } = new URL(request.url);
  const response = await send(request).catch((error: unknown) => {
    signal.throwIfAborted();
    const { cause } = error as { readonly cause?: unknown };
    throw new CommandError(
      `cannot reach ${origin}: ${describeError(cause ?? error)}; secplat serve --dev starts a server`,
      exitCodes.failure,
      { cause: error },
    );
  });
  if (response.ok) {
    if (response.status === 204) return undefined;
    return await response.json().catch((error: unknown) => {
      signal.throwIfAborted();
      throw new CommandError(
        `${origin} did not answer with JSON; is it a server of secplat serve --dev?`,
        exitCodes.failure,
        { cause: error },
      );
    });
  }
  const { errors } = (await response.json().catch(() => ({}))) as {
    readonly errors?: readonly { readonly message: string }[];
  };
  const messages = errors?.map(({ message }) => message).join("\n");
  const isMissing = response.status === 404 && messages?.includes("_control") !== false;
  throw new CommandError(
    isMissing
      ? `${origin} has no ${pathname}; start the server with --dev`
      : (messages ?? `${origin} answered with status ${response.status}`),
  );
}

/** The list of an object that has nothing else. */
function listIn(value: unknown): readonly unknown[] | undefined {
  const members = Object.values((value ?? {}) as object) as readonly unknown[];
  const [only] = members;
  return members.length === 1 && Array.isArray(only) ? (only as readonly unknown[]) : undefined;
}
