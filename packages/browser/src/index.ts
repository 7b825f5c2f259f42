export { loadWasmLibrary } from "./sqlite-wasm/wasm-library.ts";
export { openWasm } from "./sqlite-wasm/open-wasm.ts";
