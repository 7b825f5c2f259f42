import type { Block } from "../../scripts/samples/blocks.ts";

/** What a test does with a block: write a file, run it, or compare it with the previous output. */
export type Step =
  | { readonly kind: "file"; readonly name: string; readonly block: Block }
  | { readonly kind: "start" | "run"; readonly block: Block; readonly output: Block | undefined }
  | {
      readonly kind: "filters";
      readonly refused: boolean;
      readonly block: Block;
      readonly output: Block | undefined;
    };

/**
 * The steps of a page in order. A block with a file name is written; `bash` is run, and `bash
 * start` starts the server; `fql` is sent as a filter; any other block is the expected output of
 * the previous one. Throws for any other block.
 */
export function stepsOf(blocks: readonly Block[]): readonly Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block === undefined) break;
    if (block.title?.includes(".") === true) {
      steps.push({ kind: "file", name: block.title, block });
      continue;
    }
    const next = blocks[index + 1];
    const output = next !== undefined && isOutput(next) ? next : undefined;
    if (output !== undefined) index += 1;
    if (block.language === "bash") {
      steps.push({ kind: block.flags.includes("start") ? "start" : "run", block, output });
    } else if (block.language === "fql") {
      steps.push({ kind: "filters", refused: block.flags.includes("refused"), block, output });
    } else {
      throw new Error(
        `line ${block.line}: a ${block.language || "plain"} block that is neither executable nor the output of the block before it`,
      );
    }
  }
  return steps;
}

const isOutput = ({ language, title }: Block): boolean =>
  title === undefined && ["json", "http", "text"].includes(language);
