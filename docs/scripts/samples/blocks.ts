/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  /** The text in brackets after the language: a file name, or the title of a tab. */
  readonly title: string | undefined;
  /** Words after the language, outside the brackets. */
  readonly flags: readonly string[];
  readonly text: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
}

const opening = /^(?<fence>`{3,}|~{3,})(?<language>[\w-]*)(?<rest>.*)$/;

/** The fenced blocks of a Markdown text, in order. Throws if a fence is never closed. */
export function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const { fence, language = "", rest = "" } = opening.exec(lines[index] ?? "")?.groups ?? {};
    if (fence === undefined) continue;
    const end = lines.findIndex((line, at) => at > index && line.trimEnd() === fence);
    if (end === -1) throw new Error(`the block at line ${index + 1} is never closed`);
    blocks.push({
      language,
      title: /\[(.*)\]/.exec(rest)?.[1],
      flags: rest
        .replace(/\[.*\]/, "")
        .split(" ")
        .filter((word) => word !== ""),
      text: lines.slice(index + 1, end).join("\n"),
      line: index + 1,
    });
    index = end;
  }
  return blocks;
}

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
