import { fileURLToPath } from "node:url";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const docsFolder = at("../..");
export const siteFolder = at("../../.vitepress/dist");
export const projectFolder = at("../../..");
export const contractTests = at("../../../packages/contract-tests/src/bin.ts");
export const specGate = at("../../../packages/spec-gate/src/bin.ts");
export const fromSources = "--conditions=@security-platform/source";
