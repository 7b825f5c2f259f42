import { connect, type OperationId } from "@security-platform/client/core";
import { connectWith, explained } from "../api/connection.ts";
import type { ConnectionOptions } from "../api/resolve-connection.ts";
import { curlOf } from "../calls/curl.ts";
import { isInline, readText } from "../calls/body.ts";
import { tracedFetch } from "../calls/traced-fetch.ts";
import { withPrinter, type OutputOptions } from "../output/output-options.ts";
import { drained } from "../terminal/drained.ts";
import { CommandError } from "../terminal/exit-codes.ts";
import type { CliContext } from "../terminal/cli-context.ts";

export interface ApiOptions extends ConnectionOptions, OutputOptions {
  readonly header?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly include?: boolean;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
}

interface Target {
  readonly method: string;
  readonly path: string;
}

/** Sends a request that the document need not describe, and prints the response. */
export async function sendRequest(
  { method, path }: Target,
  options: ApiOptions,
  context: CliContext,
): Promise<void> {
  const body =
    options.body === undefined || isInline(options.body, context)
      ? options.body
      : (await readText(options.body, context)).text;
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...options.header,
  };
  if (options.dryRun === true) {
    const { url } = connectWith(({ baseUrl }) => ({ url: baseUrl }), options, context);
    const sent = { authorization: "Bearer", accept: "application/json", ...headers };
    const request = { url: `${url}${path}`, method, headers: new Headers(sent) };
    const asText = { required: true, mediaType: headers["content-type"] ?? "", schema: {} };
    context.stdout.write(curlOf({ requestBody: asText }, request, body));
    return;
  }
  const trace = options.verbose === true ? { fetch: tracedFetch(context.stderr) } : {};
  const connection = connectWith(connect, options, context, trace);
  try {
    const operation = {
      id: "api" as OperationId,
      method,
      path: escaped(path),
      // The body is sent as it is, like that of an upload.
      body: "parts",
      headers: Object.keys(headers),
    } as const;
    const signal = context.interruption();
    const input = { ...headers, ...(body === undefined ? {} : { body }) };
    const response = await connection.raw(operation, input, { signal });
    await print(response, options, context, signal);
    if (response.status >= 400) {
      throw new CommandError(
        `${method} ${path} got ${response.status} ${response.statusText}`.trimEnd(),
      );
    }
  } catch (error) {
    throw explained(error, options, context);
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** Braces are placeholders of parameters in paths of the document. */
const escaped = (path: string): string => path.replaceAll("{", "%7B").replaceAll("}", "%7D");

async function print(
  response: Response,
  options: ApiOptions,
  context: CliContext,
  signal: AbortSignal,
): Promise<void> {
  const { stdout } = context;
  if (options.include === true) {
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\n`);
    stdout.write(`${response.status} ${response.statusText}\n${lines.join("")}\n`);
  }
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (!isJson) {
    for await (const chunk of response.body ?? []) {
      stdout.write(chunk as Uint8Array);
      await drained(stdout, signal);
    }
    return;
  }
  const value: unknown = JSON.parse((await response.text()) || "null");
  await withPrinter(options, context, async (printer) => {
    if (!Array.isArray(value)) return printer.value(value);
    await printer.items(value);
    await printer.end();
  });
}
