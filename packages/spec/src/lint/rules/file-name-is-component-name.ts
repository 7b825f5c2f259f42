import type { Rule } from "../rule.ts";
import type { Kind, SourceFile } from "../source-file.ts";
import { report, objectIn } from "../specification.ts";

const pascal = { pattern: /^([A-Z][a-z0-9]*)+$/, words: "a name in PascalCase" };
const kebab = { pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/, words: "a name in kebab-case" };
const header = { pattern: /^[A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)*$/, words: "the name of a header" };

const styles: Partial<Record<Kind, { readonly pattern: RegExp; readonly words: string }>> = {
  schemas: pascal,
  parameters: pascal,
  responses: pascal,
  headers: header,
  "header-sets": kebab,
  "error-sets": kebab,
  examples: kebab,
  fql: kebab,
};

/**
 * The bundler names components after the last part of a reference: the file, or the component in a file of
 * components. It appends a number to duplicate names.
 */
export const fileNameIsComponentName: Rule = {
  name: "file-name-is-component-name",
  *check(specification) {
    const owners = new Map<string, SourceFile>();
    for (const file of specification.files.values()) {
      const style = styles[file.kind];
      if (style === undefined) continue;
      const spot = { file, pointer: [] };
      if (!style.pattern.test(file.name)) yield report(spot, `name ${file.name}`, style.words);
      if (file.filePath.split("/").length !== 3) {
        yield report(spot, file.path, `${file.collection}/${file.kind}/${file.name}.yaml`);
      }
      const component = `${file.kind}/${file.name.toLowerCase()}`;
      const owner = owners.get(component);
      if (owner !== undefined) {
        yield report(spot, `the name of ${owner.path}`, "a unique component name");
      }
      owners.set(component, file);
    }
    for (const root of specification.roots) {
      const inline = objectIn(root.value, "components");
      for (const kind of Object.keys(inline).filter((name) => name !== "securitySchemes")) {
        yield report(
          { file: root, pointer: ["components", kind] },
          `components.${kind} in ${root.path}`,
          "a file for each component",
        );
      }
    }
  },
};
