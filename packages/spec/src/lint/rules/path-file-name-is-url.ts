import { collectionOf } from "../../generate/operations-index.ts";
import type { Rule } from "../rule.ts";
import type { Report } from "../finding.ts";
import type { SourceFile } from "../source-file.ts";
import { isObject, listIn, objectIn, report, type Specification } from "../specification.ts";

/** `/iocs/queries/platforms/v1` → `iocs_queries_platforms_v1.yaml`, in the folder of its collection. */
export const pathFileNameIsUrl: Rule = {
  name: "path-file-name-is-url",
  *check(specification) {
    for (const root of specification.roots) yield* checkPaths(specification, root);
  },
};

function* checkPaths(specification: Specification, root: SourceFile): Generator<Report> {
  const paths = objectIn(root.value, "paths");
  let previous = "";
  for (const [url, item] of Object.entries(paths)) {
    const spot = { file: root, pointer: ["paths", url] };
    if (url < previous) yield report(spot, `${url} after ${previous}`, "paths in sorted order");
    previous = url;
    const reference = isObject(item) ? item["$ref"] : undefined;
    const file = typeof reference === "string" ? specification.target(root, reference) : undefined;
    if (file === undefined) {
      yield report(spot, "a path without a file", "a $ref to the file of its Path Item");
      continue;
    }
    const [operation] = specification.operations.filter((each) => each.file === file);
    const [tag] = listIn(operation?.value, "tags");
    const collection = typeof tag === "string" ? collectionOf(tag) : file.collection;
    const expected = `${collection}/paths/${url.slice(1).replaceAll("/", "_")}.yaml`;
    if (file.path !== expected) yield report(spot, file.path, expected);
  }
}
