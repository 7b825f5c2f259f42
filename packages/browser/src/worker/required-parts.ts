/** Features of browsers that the platform needs, of 2024 or earlier. */
const required: Readonly<Record<string, () => unknown>> = {
  WebAssembly: () => (globalThis as { readonly WebAssembly?: unknown }).WebAssembly,
  "compression streams": () =>
    (globalThis as { DecompressionStream?: unknown }).DecompressionStream,
  "Promise.withResolvers": () => (Promise as { withResolvers?: unknown }).withResolvers,
  "Map.groupBy": () => (Map as { groupBy?: unknown }).groupBy,
};

const instead = "or run the server: npx secplat serve";

/** Throws an error that names what this browser lacks, or what the policy of the worker's file does not allow. */
export function requireParts(parts = required, compile = compileNothing): void {
  const missing = Object.keys(parts).filter((name) => parts[name]?.() === undefined);
  if (missing.length > 0) {
    throw new Error(
      `the platform needs ${missing.join(" and ")}, which this browser lacks; use a browser of 2024 or later, ${instead}`,
    );
  }
  try {
    compile();
  } catch (error) {
    throw new Error(
      "the content security policy of the worker's file forbids WebAssembly, which SQLite is compiled to; send it with " +
        `script-src 'self' 'wasm-unsafe-eval', which pages do not need, ${instead}`,
      { cause: error },
    );
  }
}

declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** The magic number and the version: a module without content. */
const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

const compileNothing = (): unknown => new WebAssembly.Module(emptyModule);
