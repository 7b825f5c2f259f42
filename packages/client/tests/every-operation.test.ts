/** The types of 214 operations must not slow down the programs that use them. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const project = fileURLToPath(new URL("./every-operation/tsconfig.json", import.meta.url));
const compiler = fileURLToPath(
  new URL("../../../node_modules/typescript/bin/tsc", import.meta.url),
);

/** What the compiler says of its work; throws with what it says when the file does not compile. */
const check = (): string =>
  execFileSync(
    process.execPath,
    [compiler, "--noEmit", "--extendedDiagnostics", "--singleThreaded", "-p", project],
    { encoding: "utf8" },
  );

it("a file that calls every operation in both forms type-checks with few types", () => {
  const diagnostics = check();
  const count = (name: string): number =>
    Number(new RegExp(`^${name}: +(\\d+)$`, "m").exec(diagnostics)?.[1]);
  // Twice as many as today. Types that multiply with each other need millions.
  expect(count("Types")).toBeLessThan(100_000);
  expect(count("Instantiations")).toBeLessThan(130_000);
});
