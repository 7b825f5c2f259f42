import type { Report } from "../finding.ts";
import type { Rule } from "../rule.ts";
import { sourceFiles } from "../source-file.ts";
import { Specification } from "../specification.ts";

/** A specification from texts by path. Without an openapi.yaml, it gets an empty one. */
const specificationOf = (texts: Readonly<Record<string, string>>): Specification =>
  new Specification(
    Object.entries({ "openapi.yaml": "openapi: 3.1.0\n", ...texts }).flatMap(([path, text]) =>
      sourceFiles(path, text),
    ),
  );

/** The reports of a rule on such a specification. */
export const check = (rule: Rule, texts: Readonly<Record<string, string>>): readonly Report[] => [
  ...rule.check(specificationOf(texts)),
];

/** An openapi.yaml with one path, in the file `ioc/paths/things_v1.yaml`. */
export const onePath = `openapi: 3.1.0
paths:
  /things/v1:
    $ref: ioc/paths/things_v1.yaml
`;
