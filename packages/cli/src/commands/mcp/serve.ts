import { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { ConnectionOptions } from "../../api/resolve-connection.ts";
import { drained } from "../../terminal/drained.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { version } from "../../version.ts";
import { Caller } from "./caller.ts";
import { addTools } from "./tools.ts";

export interface McpOptions extends ConnectionOptions {
  readonly allowWrites?: boolean;
}

/** Answers requests of a host until it closes standard input, or a signal ends the command. */
export async function serveMcp(options: McpOptions, context: CliContext): Promise<void> {
  const signal = context.interruption();
  const caller = new Caller(options, context, signal);
  const server = new McpServer(
    { name: "secplat", version: version() },
    { instructions: instructions(options.allowWrites === true) },
  );
  addTools(server, caller, options.allowWrites === true);
  const { stdin } = context;
  const input = stdin instanceof Readable ? stdin : Readable.from(stdin);
  const write = async (chunk: Uint8Array, done: () => void): Promise<void> => {
    context.stdout.write(chunk);
    // A signal ends the command below.
    await drained(context.stdout, signal).catch(() => undefined);
    done();
  };
  const output = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => void write(chunk, done),
  });
  try {
    await server.connect(new StdioServerTransport(input, output));
    await finished(input, { signal, writable: false }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  } finally {
    // An open standard input would keep the process running.
    input.destroy();
    await server.close();
    await caller.close();
  }
}

const instructions = (allowWrites: boolean): string =>
  "Calls the Security Platform API. Find an operation with search_operations, read its parameters with " +
  "describe_operation, and call it with call_operation. Filters are written in FQL; check them with " +
  `explain_filter. ${
    allowWrites
      ? "Operations can change and delete records."
      : "Only operations that read are allowed; the person who started the server can allow others with --allow-writes."
  }`;
