/** Sends mutated inputs to everything that reads what others write, until the processor time is used up. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { resourcesOf } from "./resources.ts";
import { batchSize, inputsOf, runBatch, type Finding } from "./run.ts";
import { startServer, type FuzzedServer } from "./server.ts";
import { Summary } from "./summary.ts";
import type { Target } from "./target.ts";
import { targetsOf } from "./targets/index.ts";

const help = `npm run fuzz -- [--seconds COUNT] [--seed NUMBER] [--only PATTERN] [--batch NUMBER]

Sends mutated inputs to the HTTP edge, the operations, FQL, cursors, GraphQL, archives, images, YAML, advisories and
the clients of registries and webhooks. Checks that nothing causes a server error, leaks internals, grows, holds
up the event loop, or keeps a normal request from success. Prints a summary for each target.

  --seconds COUNT   processor time to use, of the server and of this process. Default: FUZZ_SECONDS, or 3600
  --seed NUMBER     repeats the inputs of a run. Default: a new one
  --only PATTERN    only the targets whose names match this regular expression
  --batch NUMBER    only this batch of ${batchSize} inputs, such as one that a finding names
  --turn COUNT      longest turn of the event loop in milliseconds of the processor. Default: 100
  --compat          the server serves existing clients
  --help            this text

Ctrl-C ends the run after the batch, with its summary.

Growth is compared with the first batches of all targets, turns with --turn. Writes each input that breaks a law to scripts/fuzz/found/, where npm test repeats it. Exit code 1 if there is one; 2
for wrong options.
`;

const found = join(import.meta.dirname, "found");

/** Growth after the first batches of all targets that counts as a leak. */
const most = { megabytes: 500, descriptors: 60 };

interface Options {
  readonly seconds: number;
  readonly seed: number;
  readonly only: RegExp;
  readonly batch: number | null;
  readonly turn: number;
  readonly compat: boolean;
}

function readOptions(): Options | "help" | null {
  try {
    const { values } = parseArgs({
      options: {
        seconds: { type: "string", default: process.env["FUZZ_SECONDS"] ?? "3600" },
        seed: { type: "string", default: String(Date.now() % 2 ** 31) },
        only: { type: "string", default: "" },
        batch: { type: "string" },
        turn: { type: "string", default: "100" },
        compat: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return "help";
    return {
      seconds: count("seconds", values.seconds),
      seed: count("seed", values.seed),
      only: new RegExp(values.only),
      batch: values.batch === undefined ? null : count("batch", values.batch),
      turn: count("turn", values.turn),
      compat: values.compat,
    };
  } catch (error) {
    console.error(`fuzz: ${(error as Error).message}`);
    return null;
  }
}

function count(option: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) {
    throw new Error(`--${option}: expected a whole number, got ${value}`);
  }
  return Number(value);
}

async function fuzz(options: Options): Promise<boolean> {
  const server = await startServer(options.compat ? ["--compat"] : []);
  try {
    const targets = (await targetsOf(server)).filter(({ name }) => options.only.test(name));
    if (targets.length === 0) throw new Error(`no target matches ${options.only.source}`);
    const summary = new Summary(targets);
    console.log(`fuzz: seed ${options.seed}, ${options.seconds} s of processor time`);
    const findings = await runTargets(server, targets, summary, options);
    console.log(summary.text());
    for (const finding of findings) console.log(report(finding, options));
    return findings.length === 0;
  } finally {
    await server.stop();
  }
}

async function runTargets(
  server: FuzzedServer,
  targets: readonly Target[],
  summary: Summary,
  { seconds, seed, batch: only, turn: longest }: Options,
): Promise<readonly Finding[]> {
  const findings = new Map<string, Finding>();
  const grown = new Set<string>();
  const processor = (): number =>
    (resourcesOf("self")?.processor ?? process.cpuUsage().user / 1e6) +
    (resourcesOf(server.pid)?.processor ?? 0);
  const start = processor();
  let isInterrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (isInterrupted = true));
  for (let batch = only ?? 0; ; batch += 1) {
    for (const target of targets) {
      if (batch % 20 === 19) await server.renew();
      const inputs = inputsOf(target, seed, batch);
      // The first requests of an operation build its schemas.
      if (batch === (only ?? 0)) await runBatch(server, target, batch, inputsOf(target, seed, -1));
      const result = await runBatch(server, target, batch, inputs);
      summary.add(target, inputs.length, result);
      summary.progress(processor() - start, seconds);
      const problems = [...result.findings];
      if (result.turn !== null && result.turn > longest) {
        const problem = `a turn of the event loop takes ${Math.round(result.turn)} ms of the processor`;
        problems.push({ target: target.name, batch, problem });
      }
      const growth = only === null ? summary.growth(target, most) : undefined;
      if (growth !== undefined && !grown.has(target.runsIn)) {
        grown.add(target.runsIn);
        problems.push({ target: target.name, batch, problem: growth });
      }
      for (const finding of problems) keep(findings, finding);
      const isOver = isInterrupted || server.hasEnded() || processor() - start >= seconds;
      if (isOver) return [...findings.values()];
    }
    if (only !== null) return [...findings.values()];
  }
}

/** One finding of each kind: those that differ only in numbers and texts of the input are the same. */
function keep(findings: Map<string, Finding>, finding: Finding): void {
  const { target, problem, input } = finding;
  const [message = "", frame = ""] = problem.split(/\n\s+at (?:Array\.\w+ .*\n\s+at )?/, 2);
  const kind = /^\w+Error: /.test(message)
    ? `${message.slice(0, 30)} ${frame}`
    : message.slice(0, 160);
  const key = `${target} ${kind.replaceAll(/\d+|"[^"]*"|'[^']*'/g, "_")}`;
  if (findings.has(key)) return;
  findings.set(key, finding);
  process.stderr.write(`\n${target}: ${problem.slice(0, 300)}\n`);
  if (input === undefined) return;
  mkdirSync(found, { recursive: true });
  const hash = createHash("sha256").update(JSON.stringify(input)).digest("hex").slice(0, 8);
  const content = { target, problem: problem.split("\n", 1)[0], input };
  writeFileSync(join(found, `${target}-${hash}.json`), `${JSON.stringify(content, null, 2)}\n`);
}

const report = ({ target, batch, problem }: Finding, { seed, compat }: Options): string =>
  `\nFAILED ${target}: ${problem}\n  npm run fuzz -- --seed ${seed} --only '^${target}$' --batch ${batch}${compat ? " --compat" : ""}`;

const options = readOptions();
if (options === null) process.exitCode = 2;
else if (options === "help") process.stdout.write(help);
else process.exitCode = (await fuzz(options)) ? 0 : 1;
