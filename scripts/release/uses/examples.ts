import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { run, stranger, type Place } from "../commands.ts";
import { Skipped, type Report } from "../report.ts";

const examples = join(import.meta.dirname, "../../../examples");

interface Job {
  readonly defaults: { readonly run: { readonly "working-directory": string } };
  readonly steps: readonly { readonly run?: string }[];
}

/** Runs the steps of the examples' workflow as a new repository would, with the packages of the registry. */
export async function useExamples(place: Place, report: Report): Promise<void> {
  const workflow = readFileSync(join(examples, ".github/workflows/tests.yaml"), "utf8");
  const { jobs } = parse(workflow) as { readonly jobs: Readonly<Record<string, Job>> };
  for (const [name, { defaults, steps }] of Object.entries(jobs)) {
    await report(`examples: the job ${name} of the workflow`, async () => {
      const who = stranger(place);
      cpSync(examples, who.folder, { recursive: true });
      const folder = join(who.folder, defaults.run["working-directory"]);
      const environment = { ...who.environment, ...downloadSettings() };
      const here = { folder, environment };
      if (name === "pytest") await requirePython(here);
      if (name === "terraform") await requireTerraform(here);
      let printed = "";
      for (const step of steps) {
        if (step.run === undefined) continue;
        printed = (await run(["bash", "-e", "-c", step.run], here)).stdout;
      }
      // Vitest counts the files first, and then the tests.
      const passed = printed.match(/\d+ passed/g)?.at(-1);
      if (passed === undefined || /[1-9]\d* (failed|skipped)/.test(printed))
        throw new Error(printed);
      return passed;
    });
  }
}

/** Where pip and Terraform find packages on this machine. */
const downloadSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PIP|TF)_/.test(name)));

async function requirePython(who: Parameters<typeof run>[1]): Promise<void> {
  const { code } = await run(["bash", "-c", "python3 -c 'import venv, ensurepip'"], who, "any");
  if (code !== 0) throw new Skipped("there is no Python with venv and pip");
}

async function requireTerraform(who: Parameters<typeof run>[1]): Promise<void> {
  const { code } = await run(["bash", "-c", "command -v terraform"], who, "any");
  if (code !== 0) throw new Skipped("there is no Terraform");
  const { code: initialized } = await run(["terraform", "init", "-input=false"], who, "any");
  if (initialized !== 0) throw new Skipped("Terraform cannot download the provider");
}
