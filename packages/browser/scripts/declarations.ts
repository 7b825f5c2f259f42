/** Bundles the declarations of the package, which the compiler has written. */
import { fileURLToPath } from "node:url";
import { bundleDeclarations } from "../../../scripts/bundle-declarations.ts";

await bundleDeclarations({
  folder: fileURLToPath(new URL("..", import.meta.url)),
  entries: ["index"],
  external: [/^@security-platform\/client(?:\/|$)/],
});
