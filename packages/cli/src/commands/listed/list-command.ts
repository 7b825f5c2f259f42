import type { Store } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { withStore } from "../../database/open.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { examples } from "../../options/examples.ts";
import { readChoice } from "../../options/read-choice.ts";
import { readInteger } from "../../options/read-integer.ts";
import { jsonOption, readTenant } from "../../options/shared.ts";
import { ownerOf } from "../../tenants.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";

/** The selection by the options of a list. */
export interface ListQuery<State extends string> {
  readonly state: State | undefined;
  readonly cid: string | undefined;
  readonly limit: number;
  /** The value of the additional option of the list. */
  readonly only: string | undefined;
}

/** A command that lists records of one tenant or of all, newest first. */
export interface ListCommand<Item extends object, State extends string = never> {
  /** Default: `list`. */
  readonly name?: string;
  readonly summary: string;
  readonly description: string;
  /** The plural noun of the records. */
  readonly plural: string;
  /** The meaning of `--tenant` in this list. */
  readonly tenant: string;
  /** Absent: there is no option `--state`. */
  readonly states?: readonly State[];
  /** An additional option of this list, with a text value. */
  readonly only?: Option;
  readonly columns: readonly string[];
  /** A record as a row of the table. Default: its members. */
  readonly row?: (item: Item) => Readonly<Record<string, unknown>>;
  readonly examples: readonly string[];
  readonly find: (store: Store, query: ListQuery<State>) => Promise<readonly Item[]>;
}

interface ListOptions extends DatabaseOptions, ResultOptions {
  readonly state?: string;
  readonly tenant?: string;
  readonly limit: number;
}

export function addListCommand<Item extends object, State extends string = never>(
  parent: Command,
  context: CliContext,
  list: ListCommand<Item, State>,
): void {
  const { name = "list", summary, description, plural, states, only, columns } = list;
  const command = parent.command(name).summary(summary).description(description);
  if (states !== undefined) {
    const state = new Option("--state <state>", `only entries in this state: ${states.join(", ")}`);
    command.addOption(state.argParser(readChoice(states)));
  }
  if (only !== undefined) command.addOption(only);
  command
    .option(
      "--tenant <tenant>",
      `cid or name of ${list.tenant} in the database (default: all tenants)`,
      readTenant,
    )
    .option("--limit <count>", `number of ${plural}`, readInteger(1, 10_000), 50)
    .addOption(jsonOption())
    .addHelpText("after", examples(...list.examples));
  const rowOf = list.row ?? ((item: Item) => Object.fromEntries(Object.entries(item)));
  addDatabaseOptions(command).action((options: ListOptions) =>
    withStore({ ...options, create: false }, context, async (store) => {
      const items = await list.find(store, {
        state: options.state as State | undefined,
        cid: await ownerOf(store, options),
        limit: options.limit,
        only: only && (command.getOptionValue(only.attributeName()) as string | undefined),
      });
      printResult(context, options, items, () => formatTable(columns, items.map(rowOf)));
    }),
  );
}
