import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** Files that are read, or started as a worker, instead of imported. They have no types. */
const notImported = [/\.(?:json|yaml)$/, "./worker"];

/** What publint and arethetypeswrong find in a packed package. */
export async function packageProblems(file: Uint8Array): Promise<readonly string[]> {
  const contents = new Uint8Array(file);
  const tarball = contents.buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  const types = await checkPackage(createPackageFromTarballData(contents), {
    excludeEntrypoints: notImported,
  });
  const problems = types.types === false ? [] : types.problems.filter((each) => !isIntended(each));
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...problems.map((problem) => JSON.stringify(problem)),
  ];
}

/**
 * The packages are ES modules. CommonJS requires them from Node.js 20.19 on, and the resolution of Node.js 10
 * knows no `exports`; TypeScript 7 does not have it any more.
 */
const isIntended = (problem: { readonly kind: string; readonly resolutionKind?: string }) =>
  problem.kind === "CJSResolvesToESM" || problem.resolutionKind === "node10";
