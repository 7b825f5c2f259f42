import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scenario } from "../scenario.ts";
import type { Result } from "../measure.ts";

/** Seconds and milliseconds instead of ratios. */
export const typeScenarios: readonly Scenario[] = [{ name: "types", run: types }];

const pathOf = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The compiler that most editors still have; the project itself uses a faster one. */
const older = pathOf("packages/spec-gate/node_modules/typescript/lib");

const program = `import { connect } from "@security-platform/client/core";
import { getIndicators, ioc } from "@security-platform/client/ioc";

const connection = connect({ baseUrl: "https://api.test", clientId: "a", clientSecret: "b" });
const { data } = await getIndicators(connection)({ ids: ["a"] });
console.log(data[0]?.value, ioc(connection).getIndicators);
`;

/** How long the types of the client delay compilers and editors. */
async function types(): Promise<readonly Result[]> {
  // Where programs find the built client.
  const folder = pathOf("node_modules/.cache/bench-types");
  mkdirSync(folder, { recursive: true });
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "esnext.disposable", "dom", "dom.asynciterable"],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compile = (name: string, text: string): number => {
    const file = `${name}.ts`;
    writeFileSync(join(folder, file), text);
    const config = join(folder, `${name}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
    return secondsOf([join(older, "tsc.js"), "-p", config]);
  };
  const empty = compile("empty", "export {};\n");
  const call = compile("call", program);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["call.ts"] }),
  );
  const editor = new Editor(join(folder, "call.ts"));
  const [cold, warm] = await editor.completions();
  const compiler = pathOf("node_modules/typescript/bin/tsc");
  const project = pathOf("packages/client/tests/every-operation/tsconfig.json");
  const all = secondsOf([compiler, "--noEmit", "-p", project]);
  return [
    result("seconds to type-check all calls", "every operation in both forms", all, 2),
    {
      ...result("seconds to type-check one call", "with TypeScript 5.9", call - empty, 1.5),
      note: `${call.toFixed(1)} s with the libraries of the language, which take ${empty.toFixed(1)} s without the client`,
    },
    result("milliseconds to a first completion", "in an editor with TypeScript 5.9", cold, 500),
    result("milliseconds to a completion", "in an editor with TypeScript 5.9", warm, 50),
  ];
}

function secondsOf(words: readonly string[]): number {
  const began = performance.now();
  execFileSync(process.execPath, words);
  return (performance.now() - began) / 1_000;
}

/** The language server of TypeScript with one open file. */
class Editor {
  readonly #file: string;
  readonly #server: ChildProcess;
  #requests = 0;
  #received = "";

  constructor(file: string) {
    this.#file = file;
    const words = [join(older, "tsserver.js"), "--disableAutomaticTypingAcquisition"];
    this.#server = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.#server.stdout?.on("data", (chunk: Buffer) => (this.#received += chunk.toString()));
  }

  /** Milliseconds of the first completion after the project is loaded, and of one after the next letter. */
  async completions(): Promise<readonly [number, number]> {
    const { length: line } = program.trimEnd().split("\n");
    const offset = (program.trimEnd().split("\n").at(-1) ?? "").indexOf("getIndicators") + 1;
    try {
      this.#send("open", { fileContent: program });
      await this.#ask("projectInfo", { needFileNameList: false });
      const cold = await this.#ask("completionInfo", { line, offset });
      const place = { line, offset, endLine: line, endOffset: offset, insertString: "g" };
      this.#send("change", place);
      const warm = await this.#ask("completionInfo", { line, offset: offset + 1 });
      return [cold, warm];
    } finally {
      this.#server.kill();
    }
  }

  #send(command: string, more: object): void {
    this.#requests += 1;
    const request = { seq: this.#requests, type: "request", command };
    const text = JSON.stringify({ ...request, arguments: { file: this.#file, ...more } });
    this.#server.stdin?.write(`${text}\n`);
  }

  /** Milliseconds until the response. */
  async #ask(command: string, more: object): Promise<number> {
    const began = performance.now();
    this.#send(command, more);
    const response = new RegExp(`"request_seq":${this.#requests},"success":(\\w+)`);
    for (;;) {
      const [, success] = response.exec(this.#received) ?? [];
      if (success === "true") return performance.now() - began;
      if (success !== undefined) throw new Error(`${command} failed: ${this.#received}`);
      await new Promise((resolve) => this.#server.stdout?.once("data", resolve));
    }
  }
}

const result = (name: string, figure: string, ratio: number, target: number): Result => ({
  name,
  figure,
  ratio,
  target,
  targetIs: "at most",
});
