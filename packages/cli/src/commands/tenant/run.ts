import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { withClient } from "../../api/connection.ts";
import type { ConnectionOptions } from "../../api/resolve-connection.ts";
import { confirm } from "../../calls/confirm.ts";
import { printResult } from "../../terminal/print-result.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes, SilentExit } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";
import { Progress } from "../../terminal/progress.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { Api } from "./api.ts";
import { applyPlan } from "./apply-plan.ts";
import { changeAsJson, describePlan } from "./describe-plan.ts";
import type { Kind } from "./kind.ts";
import { makePlan, type Plan } from "./plan.ts";
import { FolderProblems, readFolder, type Folder } from "./read-folder.ts";
import { describedKinds } from "./read-kinds.ts";
import { readTenant, type Tenant } from "./read-tenant.ts";
import { writeFolder } from "./write-folder.ts";

export interface ComparisonOptions extends ConnectionOptions {
  readonly only?: readonly Kind[];
  readonly json?: boolean;
}

export interface FolderOptions extends ComparisonOptions {
  readonly prune?: boolean;
}

export interface ImportOptions extends FolderOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `secplat tenant export` */
export async function exportTenant(
  name: string,
  options: FolderOptions,
  context: CliContext,
): Promise<void> {
  const { only = describedKinds, prune = false } = options;
  const { workingFolder } = context;
  const problems = new FolderProblems(name);
  const root = resolve(workingFolder, name);
  const existing = existsSync(root)
    ? readFolder(name, workingFolder, only, problems)
    : { records: new Map(), missing: only, orders: new Map() };
  problems.throwIfAny();
  await withApi(options, context, async (api) => {
    const tenant = await readTenant(only, api, warn(context));
    const result = await writeFolder(root, tenant, existing, prune);
    printResult(context, options, result, () => {
      const { written, unchanged, deleted, kept } = result;
      const lines = [
        ...written.map((path) => `wrote ${path}`),
        ...deleted.map((path) => `deleted ${path}`),
        ...kept.map((path) => `kept ${path}, which the tenant does not have; --prune deletes it`),
        `${counted(written.length, "file")} written, ${unchanged} the same, ${deleted.length} deleted`,
      ];
      return `${lines.join("\n")}\n`;
    });
  });
}

/** `secplat tenant import` */
export async function importTenant(
  name: string,
  options: ImportOptions,
  context: CliContext,
): Promise<void> {
  const { prune = false, dryRun, yes, json } = options;
  await compare(name, prune, options, context, async ({ folder, plan, api, tenant }) => {
    const { changes } = plan;
    if (options.only === undefined) refuseMissingFolders(name, folder, plan);
    const isFinal = dryRun === true || changes.length === 0;
    const { stderr, environment } = context;
    if (isFinal || json !== true) printPlan(plan, options, context);
    if (isFinal) return;
    if (yes !== true) {
      // With --json, the plan goes to standard output after the changes.
      if (json === true && stderr.isTTY === true) stderr.write(describePlan(plan));
      await confirm(questionOf(plan), context);
    }
    const progress = new Progress(stderr, "changes");
    let made = 0;
    try {
      await applyPlan(plan, { api, tenant, environment }, (done) => {
        made = done;
        progress.update(done, done / changes.length);
      });
    } catch (error) {
      progress.end();
      if (error instanceof SilentExit) {
        stderr.write(
          `secplat: ${made} of ${counted(changes.length, "change")} made; import again to make the others\n`,
        );
      }
      throw error;
    }
    progress.end();
    if (json === true) printPlan(plan, options, context);
    else context.stdout.write(`${made} of ${counted(changes.length, "change")} made\n`);
  });
}

function questionOf({ changes }: Plan): string {
  const deletions = changes.filter(({ action }) => action === "delete").length;
  const part = deletions === 0 ? "" : `, including ${counted(deletions, "deletion")}`;
  return `Make ${counted(changes.length, "change")}${part}?`;
}

/** `secplat tenant diff` */
export async function diffTenant(
  name: string,
  options: ComparisonOptions,
  context: CliContext,
): Promise<void> {
  let isDifferent = false;
  try {
    await compare(name, true, options, context, async ({ plan }) => {
      isDifferent = plan.changes.length > 0;
      printPlan(plan, options, context);
    });
  } catch (error) {
    if (error instanceof SilentExit) throw error;
    // 1 means differences.
    throw new CommandError(describeError(error), exitCodes.usage, { cause: error });
  }
  if (isDifferent) throw new SilentExit(exitCodes.failure);
}

interface Comparison {
  readonly folder: Folder;
  readonly plan: Plan;
  readonly api: Api;
  readonly tenant: Tenant;
}

/** Compares the folder with the tenant. Throws a `CommandError` that lists all problems of the files. */
async function compare(
  name: string,
  prune: boolean,
  options: ComparisonOptions,
  context: CliContext,
  work: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  const { only = describedKinds } = options;
  const problems = new FolderProblems(name);
  const folder = readFolder(name, context.workingFolder, only, problems);
  problems.throwIfAny();
  refuseEmpty(name, folder);
  await withApi(options, context, async (api) => {
    const tenant = await readTenant(only, api, warn(context));
    const { environment } = context;
    const plan = makePlan({ folder, tenant, prune, environment, problems });
    problems.throwIfAny();
    await work({ folder, plan, api, tenant });
  });
}

/** A wrong folder must not empty the tenant. */
function refuseEmpty(name: string, { records }: Folder): void {
  if ([...records.values()].some(({ size }) => size > 0)) return;
  const examples = [...records.keys()].slice(0, 2).map((kind) => `${name}/${kind.name}/`);
  throw new CommandError(
    `${name} describes no records; expected YAML files in ${examples.join(", ")} …`,
    exitCodes.usage,
  );
}

/** A folder that is absent by mistake must not delete all records of its kind: git keeps no empty folders. */
function refuseMissingFolders(name: string, { missing }: Folder, { changes }: Plan): void {
  const lines = missing.flatMap((kind) => {
    const { length } = changes.filter((each) => each.kind === kind && each.action === "delete");
    if (length === 0) return [];
    const records = length === 1 ? `the only one of ${kind.name}` : `all ${length} ${kind.name}`;
    return [
      `${name} has no folder ${kind.name}, so --prune would delete ${records}; ` +
        "create the folder, or name the kinds with --only",
    ];
  });
  if (lines.length > 0) throw new CommandError(lines.join("\n"), exitCodes.usage);
}

const withApi = (
  options: ConnectionOptions,
  context: CliContext,
  work: (api: Api) => Promise<void>,
): Promise<void> => {
  const signal = context.interruption();
  return withClient(options, context, (client) => work(new Api(client, signal)));
};

const warn =
  ({ stderr }: CliContext) =>
  (message: string): void =>
    void stderr.write(`secplat: ${printable(message)}\n`);

function printPlan(plan: Plan, options: ComparisonOptions, context: CliContext): void {
  const { changes, unchanged, kept } = plan;
  const json = {
    changes: changes.map(changeAsJson),
    unchanged,
    kept: kept.map(({ kind, label }) => ({ kind: kind.name, name: label })),
  };
  printResult(context, options, json, () => describePlan(plan));
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
