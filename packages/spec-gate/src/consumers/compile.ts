import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CannotJudge } from "../read/cannot-judge.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { inFolder, writeDocument } from "../read/write-document.ts";
import type { Statement } from "./statements.ts";

/** A line of the client program that does not compile. */
export interface CompileError {
  readonly statement: Statement;
  readonly message: string;
}

/** The generator and the compiler, which are installed only by those who compile consumers. */
async function tools() {
  try {
    const generator = await import("openapi-typescript");
    const { default: compiler } = await import("typescript");
    return { generator, compiler };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotJudge(
      `--consumers needs two packages; install them: npm install openapi-typescript@7 typescript@5 (${reason})`,
    );
  }
}

/** Compiles the client of the base against the types of the revision. */
export async function compileClient(
  base: LoadedDocument,
  revision: LoadedDocument,
  statements: readonly Statement[],
): Promise<readonly CompileError[]> {
  const { generator, compiler } = await tools();
  return inFolder(async (folder) => {
    for (const [name, document] of [
      ["old", base],
      ["new", revision],
    ] as const) {
      const path = writeDocument(document, join(folder, `${name}-document`));
      const nodes = await generator.default(pathToFileURL(path), {
        defaultNonNullable: false,
        silent: true,
      });
      mkdirSync(join(folder, "client"), { recursive: true });
      writeFileSync(join(folder, `client/${name}.ts`), generator.astToString(nodes));
    }
    const head = [
      'import type { paths as Old } from "./old.ts";',
      'import type { paths as New } from "./new.ts";',
    ];
    const lines = statements.map(({ code }, index) => `export const use${index} = ${code}`);
    const file = join(folder, "client/client.ts");
    writeFileSync(file, [...head, ...lines].join("\n"));
    const program = compiler.createProgram([file], {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      lib: ["lib.es2022.d.ts"],
      target: compiler.ScriptTarget.ES2022,
      module: compiler.ModuleKind.ESNext,
      moduleResolution: compiler.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
    });
    const source = program.getSourceFile(file);
    if (source === undefined) throw new CannotJudge("the client program was not compiled");
    const errors = new Map<Statement, string>();
    for (const { start, messageText } of program.getSemanticDiagnostics(source)) {
      const line = source.getLineAndCharacterOfPosition(start ?? 0).line - head.length;
      const statement = statements[line];
      if (statement === undefined || errors.has(statement)) continue;
      errors.set(statement, compiler.flattenDiagnosticMessageText(messageText, " "));
    }
    return [...errors].map(([statement, message]) => ({ statement, message }));
  });
}
