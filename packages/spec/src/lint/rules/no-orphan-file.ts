import type { Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import { report } from "../specification.ts";
import { references } from "../walk.ts";

/** Files next to openapi.yaml and errata are independent; all others are part of a document. */
export const noOrphanFile: Rule = {
  name: "no-orphan-file",
  *check(specification) {
    const reached = new Set<SourceFile>();
    const reach = (file: SourceFile): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { reference } of references(file)) {
        const target = specification.target(file, reference);
        if (target !== undefined) reach(target);
      }
    };
    for (const root of specification.roots) reach(root);
    for (const file of specification.files.values()) {
      if (file.collection !== "" && !reached.has(file)) {
        yield report(
          { file, pointer: [] },
          "an unreferenced file",
          "a reference from a document, direct or indirect, or no such file",
        );
      }
    }
  },
};
