import type { JsonSchema, Operation } from "@security-platform/spec";
import { memberTree, type Side } from "./members.ts";
import { parameterList } from "./operation-page.ts";
import { bodyBlocks } from "./responses.ts";
import type { Components } from "./schema.ts";

/**
 * How a page shows values: as trees that unfold in a browser, or as lists in plain Markdown. The anchors of a tree's
 * members start with `anchor`.
 */
export interface ValueParts {
  readonly members: (
    schema: JsonSchema,
    components: Components,
    side: Side,
    anchor: string,
  ) => string;
  readonly parameters: (
    parameters: Operation["parameters"],
    components: Components,
    anchor?: string,
  ) => string;
  readonly body: (
    content: Operation["responses"][number]["content"],
    components: Components,
    side: Side,
    anchor: string,
  ) => readonly string[];
}

export const unfoldingParts: ValueParts = {
  members: memberTree,
  parameters: parameterList,
  body: bodyBlocks,
};
