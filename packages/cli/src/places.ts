import { fileURLToPath } from "node:url";

/** The folder of this package: the parent of `src`, and of `dist`, whose files all lie in it. */
const packageFolder = new URL("..", import.meta.url);

export const manifestFile = fileURLToPath(new URL("package.json", packageFolder));

/** The build packs the documentation site into this folder. */
export const packedDocs = fileURLToPath(new URL("dist/docs", packageFolder));
