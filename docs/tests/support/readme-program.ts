import { blocksOf } from "../../scripts/samples/blocks.ts";

/** `import { a } from "m"`, which may be repeated, or any other import. */
const importPattern = /^import (?:(type )?\{([^}]*)\} from "([^"]+)"|[^;]+);\n?/gm;

/**
 * The `ts` blocks of a README as one program, which is empty without such blocks. All see what the first one
 * declares, and no other block. The program starts with the imports of all.
 */
export function readmeProgram(markdown: string): string {
  const imports = new Map<string, Set<string>>();
  const others: string[] = [];
  const bodies = blocksOf(markdown)
    .filter(({ language, title }) => language === "ts" && title === undefined)
    .map(({ text }) =>
      text.replaceAll(importPattern, (whole: string, type?: string, names = "", from?: string) => {
        if (from === undefined) others.push(whole.trimEnd());
        else {
          const importedNames = imports.get(from) ?? new Set();
          imports.set(from, importedNames);
          for (const name of names.split(",").map((each: string) => each.trim())) {
            if (name !== "") importedNames.add(type === undefined ? name : `type ${name}`);
          }
        }
        return "";
      }),
    );
  const [first = "", ...more] = bodies;
  return [
    ...[...imports].map(([from, names]) => `import { ${[...names].join(", ")} } from "${from}";`),
    ...others,
    first,
    ...more.map((body) => `{\n${body}\n}`),
  ].join("\n");
}
