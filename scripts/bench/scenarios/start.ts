import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scenario, BenchRun } from "../scenario.ts";
import { printed, startOn, stop, type Result } from "../measure.ts";

/** Seconds instead of ratios. */
export const startScenarios: readonly Scenario[] = [{ name: "start", run: start }];

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** How long `npm start` takes after the build. */
async function start({ folder }: BenchRun): Promise<readonly Result[]> {
  const data = join(folder, "start");
  const seconds = async (): Promise<number> => {
    const words = ["serve", "--port=0", "--json", `--data=${data}`];
    const child = startOn(0, [pathOf("packages/cli/dist/bin.js"), ...words]);
    const [line] = await printed(child, /^\{.*\}\n/);
    await stop(child);
    return (JSON.parse(line) as { ready_milliseconds: number }).ready_milliseconds / 1_000;
  };
  const first = await seconds();
  return [
    result("seconds until ready, with a new demo", "first start", first, 3),
    result("seconds until ready, again", "second start", await seconds(), 3),
  ];
}

const result = (name: string, figure: string, seconds: number, target: number): Result => ({
  name,
  figure,
  ratio: seconds,
  target,
  targetIs: "at most",
});
