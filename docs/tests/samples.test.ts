/** @module-tag nightly */
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { blocksOf, type Block } from "../scripts/samples/blocks.ts";
import { stepsOf, type Step } from "./support/steps.ts";
import { outputDifference } from "./support/compare-output.ts";
import { Correspondence } from "./support/compare-text.ts";
import { untrueRow } from "./support/filter-tables.ts";
import { IndicatorReader } from "./support/indicators.ts";
import { docsFolder, projectFolder } from "./support/places.ts";
import { servePlatform, startPlatform, type Platform } from "./support/platform.ts";
import { requirePrograms, Shell } from "./support/shell.ts";
import { tableRows } from "./support/tables.ts";
import { demoFolder, otherDemoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";
import { skipWithout } from "../../testing/platform.ts";

/** The server URL on the pages. */
const shownUrl = "http://127.0.0.1:8080";
const guides = readdirSync(join(docsFolder, "guides")).map((name) => `guides/${name}`);
const pages = ["index.md", ...guides].map((page) => ({ page, steps: readSteps(page) }));
/** Inside the workspace, so that programs find the client. */
const runsFolder = join(docsFolder, "generated/runs");
/** The folder in which `secplat serve` stores its data. */
const dataFolder = ".data";

/** The setup of the quick start, for all pages: URL, credentials and token in variables. */
const setup = readSteps("guides/quick-start.md").filter(({ block }) =>
  block.flags.includes("setup"),
);

const setupVariables = setup.flatMap(({ block }) =>
  [...block.text.matchAll(/^(?:export )?(\w+)=/gm)].map(([, name = ""]) => name),
);

describe.concurrent("the samples of the pages", () => {
  skipWithout("POSIX shell");

  const demo = join(runsFolder, ".demo");

  let demoUrl: string;
  let variables: string;

  // Filling the demo takes most of a start, so each server gets a copy, except on pages that show the
  // first start. The pages also get the variables that the setup of the quick start sets there.
  beforeAll(async () => {
    newFolder(demo);
    await demoFolder(demo);
    postponeRegularJobs(join(demo, dataFolder));
    const platform = await servePlatform(demo);
    const shell = new Shell(demo);
    try {
      demoUrl = platform.url;
      const run = new PageRun("guides/quick-start.md", demo, platform, shell, setup);
      for (const step of setup) await run.take(step);
      const { printed, succeeded } = await shell.run(`declare -p ${setupVariables.join(" ")}`);
      expect(succeeded, printed).toBe(true);
      variables = printed;
    } finally {
      shell.close();
      await platform.stop();
    }
  });

  test.each(pages)("run as $page shows them", async ({ page, steps }) => {
    if (steps.length === 0) return;
    requirePrograms();
    const folder = join(runsFolder, basename(page, ".md"));
    newFolder(folder);
    // As `npm init` creates it: samples must work in the folder of any project.
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "commonjs" }));
    const startsAnew = steps.some(({ kind }) => kind === "start");
    if (!startsAnew) cpSync(join(demo, dataFolder), join(folder, dataFolder), { recursive: true });
    for (const name of dataFolders(steps)) {
      const other = await otherDemoFolder(join(folder, ".other"));
      cpSync(join(other.folder, dataFolder), join(folder, name), { recursive: true });
      postponeRegularJobs(join(folder, name));
    }
    const platform = await (startsAnew ? startPlatform(folder) : servePlatform(folder));
    const shell = new Shell(folder);
    try {
      const run = new PageRun(page, folder, platform, shell, steps);
      if (!startsAnew) await shell.run(variables.replaceAll(demoUrl, platform.url));
      for (const step of steps) await run.take(step);
      await run.checkTables();
      // A server that was told to stop finishes its requests first.
      await vi.waitFor(() => expect(shell.servers()).toEqual([]), 30_000);
    } finally {
      shell.close();
      await platform.stop();
    }
  });
});

test("the project's own scripts start the platform and run its commands", () => {
  const file = readFileSync(join(projectFolder, "package.json"), "utf8");
  const { scripts } = JSON.parse(file) as { scripts: Record<string, string> };
  expect(scripts["start"]).toMatch(/ node scripts\/start\.mjs$/);
  expect(scripts["secplat"]).toBe("node packages/cli/dist/bin.js");
});

/** The data folders of further servers that a page starts. */
const dataFolders = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ block }) =>
    [...block.text.matchAll(/ serve --data (\S+)/g)].map(([, name = ""]) => name),
  );

class PageRun {
  readonly #page: string;
  readonly #folder: string;
  readonly #platform: Platform;
  readonly #shell: Shell;
  readonly #ids: Correspondence;

  constructor(
    page: string,
    folder: string,
    platform: Platform,
    shell: Shell,
    steps: readonly Step[],
  ) {
    this.#page = page;
    this.#folder = folder;
    this.#platform = platform;
    this.#shell = shell;
    this.#ids = new Correspondence(steps.map(({ block }) => block.text).join("\n"));
  }

  async take(step: Step): Promise<void> {
    const { block } = step;
    if (step.kind === "file") {
      const file = join(this.#folder, step.name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${this.#real(block.text)}\n`);
      return;
    }
    if (step.kind === "start") {
      expect(block.text).toBe("npx secplat serve");
      if (step.output !== undefined) this.#compare(step.output, this.#platform.greeting);
      await this.#runGreeting(block);
      return;
    }
    if (step.kind === "filters") {
      await this.#takeFilters(step);
      return;
    }
    const { printed, succeeded } = await this.#shell.run(this.#real(block.text));
    const meantToFail = block.flags.includes("fails");
    if (succeeded === meantToFail)
      this.#fail(block, `the block did not end as expected:\n${printed}`);
    if (step.output !== undefined) this.#compare(step.output, printed);
    else if (printed.includes('"errors":[{'))
      this.#fail(block, `the page does not show an error:\n${printed}`);
  }

  /** Commands that the server prints must work as printed. */
  async #runGreeting(block: Block): Promise<void> {
    const commands = this.#platform.greeting.match(/(?<=^ *)curl .*$/gm) ?? [];
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const { printed } = await this.#shell.run(command.replace("curl", "curl -sS"));
      if (printed.includes('"errors"')) this.#fail(block, `${command} returns ${printed}`);
    }
  }

  async #takeFilters({
    block,
    refused,
    output,
  }: Extract<Step, { kind: "filters" }>): Promise<void> {
    const reader = await IndicatorReader.open(this.#platform);
    for (const filter of block.text.split("\n")) {
      const result = await reader.find({ filter });
      if ("names" in result === refused)
        this.#fail(block, `${filter} returns ${JSON.stringify(result)}`);
      if (output !== undefined && "messages" in result)
        this.#compare(output, result.messages.join("\n"));
    }
  }

  /** Compares the page's filter tables with the indicators that its samples created. */
  async checkTables(): Promise<void> {
    const rows = tableRows(readPage(this.#page));
    const untrue = await untrueRow(rows, await IndicatorReader.open(this.#platform));
    if (untrue !== null) throw new Error(`docs/${this.#page}: ${untrue}`);
  }

  #compare(output: Block, printed: string): void {
    const text = printed.replaceAll(this.#platform.url, shownUrl);
    const difference = outputDifference(output, text, this.#ids);
    if (difference !== null) this.#fail(output, `${difference}\nThe complete output:\n${text}`);
  }

  #real = (text: string): string => text.replaceAll(shownUrl, this.#platform.url);

  #fail(block: Block, reason: string): never {
    throw new Error(`docs/${this.#page}:${block.line}: ${reason}`);
  }
}

/** On a slow machine, regular jobs of the demo would be due before a page lists the jobs. */
function postponeRegularJobs(folder: string): void {
  using database = new DatabaseSync(join(folder, "platform.sqlite"));
  database.exec("update schedules set next_at = '2100-01-01T00:00:00.000Z'");
}

function newFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
}

function readPage(page: string): string {
  return readFileSync(join(docsFolder, page), "utf8");
}

function readSteps(page: string): readonly Step[] {
  return stepsOf(blocksOf(readPage(page)));
}
