import { importsOf, sourceFiles } from "./imports.ts";

/** Layers of a folder, drawn from the top. */
export interface Drawing {
  readonly title: string;
  /** Relative to the root of the repository, with a slash at the end. */
  readonly folder: string;
  /** Files and folders in `folder`, from the top layer. */
  readonly layers: readonly (readonly string[])[];
}

interface Box {
  readonly part: string;
  readonly files: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const boxHeight = 40;
const gap = 12;
const layerDistance = 68;
const margin = 16;
const header = 44;
const drawingWidth = 960;

/** An SVG: a row of boxes for each layer, and a line for each pair of parts with imports, thicker for more. */
export function drawLayers(root: string, { title, folder, layers }: Drawing): string {
  const files = sourceFiles(root, folder.slice(0, -1));
  const parts = layers.flat();
  const partOf = (file: string): string | undefined => {
    const path = file.startsWith(folder) ? file.slice(folder.length) : "";
    return parts.find((part) => path === part || path.startsWith(`${part}/`));
  };
  const boxes = new Map(
    layers.flatMap((layer, row) => {
      const width = Math.min(150, (drawingWidth - 2 * margin + gap) / layer.length - gap);
      const left = (drawingWidth - layer.length * (width + gap) + gap) / 2;
      return layer.map((part, column): [string, Box] => [
        part,
        {
          part,
          files: files.filter((file) => partOf(file) === part).length,
          x: left + column * (width + gap),
          y: header + row * layerDistance,
          width,
        },
      ]);
    }),
  );
  const counts = new Map<string, number>();
  for (const { from, to } of importsOf(root, files)) {
    const [importer, imported] = [partOf(from), partOf(to)];
    if (importer === undefined || imported === undefined || importer === imported) continue;
    const pair = `${importer} ${imported}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const lines = [...counts].toSorted().map(([pair, count]) => {
    const [from, to] = pair.split(" ").map((part) => boxes.get(part));
    return from === undefined || to === undefined ? "" : line(from, to, count);
  });
  const height = header + layers.length * layerDistance - layerDistance + boxHeight + margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${drawingWidth} ${height}" role="img" aria-label="${title}">
<style>
  svg { background: #ffffff; font-family: system-ui, sans-serif; }
  .box { fill: #eef4fb; stroke: #4a7bb0; }
  .line { fill: none; stroke: #4a7bb0; opacity: 0.22; }
  .name { fill: #1b2733; font-size: 13px; text-anchor: middle; }
  .files { fill: #5b6b7b; font-size: 10px; text-anchor: middle; }
  .title { fill: #1b2733; font-size: 15px; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    svg { background: #1b1f24; }
    .box { fill: #22303f; }
    .name, .title { fill: #e6edf3; }
    .files { fill: #9fb0c0; }
  }
</style>
<text class="title" x="${margin}" y="26">${title}</text>
${lines.join("\n")}
${[...boxes.values()].map(boxOf).join("\n")}
</svg>
`;
}

function line(from: Box, to: Box, count: number): string {
  const [x1, y1] = [from.x + from.width / 2, from.y + boxHeight];
  const [x2, y2] = [to.x + to.width / 2, to.y];
  const bend = (y2 - y1) / 2;
  const thickness = (0.6 + Math.log2(count) / 2).toFixed(1);
  const path = [`M${x1} ${y1}`, `C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`].join(" ");
  return `<path class="line" stroke-width="${thickness}" d="${path.replaceAll(/\d+\.\d+/g, (number) => Number(number).toFixed(1))}" />`;
}

function boxOf({ part, files, x, y, width }: Box): string {
  const middle = (x + width / 2).toFixed(1);
  const label = part.replace(/\.ts$/, "");
  const squeezed =
    label.length * 7 > width
      ? ` textLength="${(width - 8).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`
      : "";
  const size = part.endsWith(".ts") ? "a file" : files === 1 ? "1 file" : `${files} files`;
  return `<rect class="box" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${boxHeight}" rx="6" />
<text class="name" x="${middle}" y="${y + 18}"${squeezed}>${label}</text>
<text class="files" x="${middle}" y="${y + 32}">${size}</text>`;
}
