/** The types of 214 operations must not slow down the programs that use them. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const project = fileURLToPath(new URL("./every-operation/tsconfig.json", import.meta.url));
const compiler = fileURLToPath(
  new URL("../../../node_modules/typescript/bin/tsc", import.meta.url),
);

/** The output of the compiler. Throws an error with the output if the file does not compile. */
const check = (): string =>
  execFileSync(
    process.execPath,
    [compiler, "--noEmit", "--extendedDiagnostics", "--singleThreaded", "-p", project],
    { encoding: "utf8" },
  );

test(
  "a file that calls every operation in both forms type-checks with few types",
  { tags: ["exhaustive"] },
  () => {
    const diagnostics = check();
    const count = (name: string): number =>
      Number(new RegExp(`^${name}: +(\\d+)$`, "m").exec(diagnostics)?.[1]);
    // Twice the current number. Types that multiply with each other create millions.
    expect(count("Types")).toBeLessThan(100_000);
    expect(count("Instantiations")).toBeLessThan(130_000);
  },
);
