import type { Command } from "commander";
import { addConnectionOptions } from "../../api/connection.ts";
import { examples } from "../../options/examples.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import type { McpOptions } from "./serve.ts";

export function addMcpCommand(program: Command, context: CliContext): void {
  addConnectionOptions(
    program
      .command("mcp")
      .description(
        "Serve the API to an assistant by the Model Context Protocol, on standard input and output. A host of " +
          "assistants starts this command. The assistant can search and describe operations, call them, and " +
          "explain filters. It can only read unless --allow-writes is set.",
      )
      .option("--allow-writes", "let the assistant call operations that change or delete records"),
    "the scopes that the assistant may use",
  )
    .addHelpText(
      "after",
      examples(
        "secplat mcp --profile staging",
        "claude mcp add secplat -- npx secplat mcp",
        "npx @modelcontextprotocol/inspector npx secplat mcp",
      ),
    )
    .action(async (options: McpOptions) => {
      const { serveMcp } = await import("./serve.ts");
      await serveMcp(options, context);
    });
}
