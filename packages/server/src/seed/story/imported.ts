import type { Importer } from "../../imports/kind.ts";

/** The record that an import makes of a line. */
export function imported<Line, Record extends object>(
  importer: Importer<Line, Record>,
  line: NoInfer<Line>,
  { cid, now }: { readonly cid: string; readonly now: Date },
): Record {
  const read = importer.read(line, { cid, now });
  if ("record" in read) return read.record;
  throw new Error(
    `a generated record of ${importer.resource.name} is none: ${JSON.stringify(read.problems)}`,
  );
}
