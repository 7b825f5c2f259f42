import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

export interface DeclaredPackage {
  /** Its folder. The compiler has written declarations to `dist/declarations`, which are deleted afterwards. */
  readonly folder: string;
  /** Names of the modules that users import. */
  readonly entries: readonly string[];
  /** Packages that are not bundled, because users install them beside this one. */
  readonly external: readonly RegExp[];
}

/** Packages whose declarations are contained, so that users do not install them. */
const contained = /^(?:[./]|[A-Z]:|@security-platform\/(?:server|spec|testing)(?:\/|$))/i;

/** Bundles the declarations of a package that is bundled with the server. */
export async function bundleDeclarations({
  folder,
  entries,
  external,
}: DeclaredPackage): Promise<void> {
  const dist = join(folder, "dist");
  const declarations = join(dist, "declarations");
  const types = await rolldown({
    cwd: folder,
    input: Object.fromEntries(entries.map((name) => [name, `${declarations}/${name}.d.ts`])),
    external: (id) => !contained.test(id),
    plugins: [dts({ dtsInput: true, oxc: true, tsconfig: false })],
    onLog: (_level, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await types.write({ dir: dist, chunkFileNames: "[name].d.ts" });
  rmSync(declarations, { recursive: true });
  for (const file of output) {
    const code = file.type === "chunk" ? file.code : "";
    for (const [, name = ""] of code.matchAll(/(?:from |import\()"([^"]+)"/g)) {
      if (name.startsWith("./") || external.some((each) => each.test(name))) continue;
      throw new Error(`${file.fileName} has types of ${name}, which users do not install`);
    }
  }
}
