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
