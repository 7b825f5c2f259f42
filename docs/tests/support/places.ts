import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const docsFolder = at("../..");
export const siteFolder = at("../../.vitepress/dist");
export const projectFolder = at("../../..");
/** The built command line: the program behind `secplat`. */
export const commandLine = at("../../../packages/cli/dist/bin.js");
export const contractTests = at("../../../packages/contract-tests/src/bin.ts");
export const specGate = at("../../../packages/spec-gate/src/bin.ts");
export const fromSources = "--conditions=@security-platform/source";
