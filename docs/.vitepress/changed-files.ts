import type { Plugin } from "./platform-files.ts";

/** By the path of a file of VitePress: what replaces what in it. */
export type FileChanges = Readonly<
  Record<string, readonly (readonly [before: string, after: string])[]>
>;

/** Changes files that VitePress loads in browsers. The build fails if a file of a later version has no such text. */
export const changedFiles = (name: string, changes: FileChanges): Plugin => ({
  name,
  // Before Vite replaces what these files read of `import.meta.env`.
  enforce: "pre",
  transform(code, id) {
    const [, file = ""] = /\/vitepress\/dist\/client\/([\w/-]+\.(?:js|vue))$/.exec(id) ?? [];
    const wanted = changes[file];
    if (wanted === undefined) return null;
    return wanted.reduce((text, [before, after]) => {
      if (!text.includes(before)) throw new Error(`${id} does not contain ${before}`);
      return text.replace(before, () => after);
    }, code);
  },
});
