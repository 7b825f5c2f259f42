/**
 * Prints the scores of `redocly score` with their floors. Exit code 1 if a score is below its
 * floor.
 */
import { fileURLToPath } from "node:url";
import { figuresOf, scoreOf } from "../src/measure/score.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

for (const { name, figure, floor } of figuresOf(scoreOf(root))) {
  const met = floor !== undefined && figure >= floor;
  if (!met) process.exitCode = 1;
  const text = [
    name.padEnd(24),
    String(Number(figure.toFixed(3))).padStart(6),
    met ? "" : "  MISS",
    `  at least ${floor ?? "(no floor)"}`,
  ];
  process.stdout.write(`${text.join("")}\n`);
}
