/** The time of one kind of request by the number of records. */
export interface Curve {
  readonly engine: string;
  readonly name: string;
  readonly points: readonly { readonly size: number; readonly milliseconds: number }[];
}

const panel = { width: 290, height: 300, left: 58, top: 46, gap: 190 };
/** Space between the names beside the curves. */
const nameHeight = 15;

/** The curves as SVG, a panel for each engine, both axes logarithmic. Follows the reader's light or dark theme. */
export function costFigure(curves: readonly Curve[]): string {
  const engines = [...new Set(curves.map(({ engine }) => engine))];
  const all = curves.flatMap(({ points }) => points);
  const x = scale(all.map(({ size }) => size));
  const y = scale(all.map(({ milliseconds }) => milliseconds));
  const step = panel.width + panel.gap;
  const width = panel.left + engines.length * step;
  const height = panel.top + panel.height + 52;
  const names = [...new Set(curves.map(({ name }) => name))];
  const panels = engines.map((engine, at) =>
    panelOf(
      engine,
      curves.filter((curve) => curve.engine === engine),
      { left: panel.left + at * step, x, y, names },
    ),
  );
  const about = `Milliseconds of each kind of request by the number of indicators of a tenant, on ${engines.join(" and ")}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${about}">
  <style>
    text { font: 12px system-ui, "Segoe UI", sans-serif; fill: #1d2b33; }
    .small { font-size: 11px; fill: #4c5f69; }
    .title { font-size: 14px; font-weight: 600; }
    .grid { stroke: #d5dfe4; stroke-width: 1; }
    .curve { fill: none; stroke-width: 1.8; }
    .to { stroke: #9aabb3; stroke-width: 0.8; fill: none; }
${names.map((_, at) => `    .c${at} { stroke: hsl(${hueOf(at, names.length)} 65% 38%); }`).join("\n")}
    @media (prefers-color-scheme: dark) {
      text { fill: #e8f0f3; }
      .small { fill: #a9bcc5; }
      .grid { stroke: #2c3a42; }
      .to { stroke: #60737d; }
${names.map((_, at) => `      .c${at} { stroke: hsl(${hueOf(at, names.length)} 65% 66%); }`).join("\n")}
    }
  </style>
${panels.join("\n")}
</svg>
`;
}

const hueOf = (at: number, count: number): number => Math.round((360 * at) / count);

interface Scale {
  readonly lowest: number;
  readonly highest: number;
}

/** Whole powers of ten around the values, as exponents. */
function scale(values: readonly number[]): Scale {
  const lowest = Math.floor(Math.log10(Math.min(...values)));
  const highest = Math.ceil(Math.log10(Math.max(...values)));
  return { lowest, highest: Math.max(highest, lowest + 1) };
}

const shareOf = ({ lowest, highest }: Scale, value: number): number =>
  (Math.log10(value) - lowest) / (highest - lowest);

const powers = ({ lowest, highest }: Scale): readonly number[] =>
  Array.from({ length: highest - lowest + 1 }, (_, at) => 10 ** (lowest + at));

function panelOf(
  engine: string,
  curves: readonly Curve[],
  { left, x, y, names }: { left: number; x: Scale; y: Scale; names: readonly string[] },
): string {
  const { width, height, top } = panel;
  const across = (size: number): number => round(left + width * shareOf(x, size));
  const up = (milliseconds: number): number => round(top + height * (1 - shareOf(y, milliseconds)));
  const lines = [
    `  <text class="title" x="${left}" y="20">${engine}</text>`,
    `  <text class="small" x="${left - 50}" y="${top - 10}">milliseconds</text>`,
    `  <text class="small" x="${left + width / 2}" y="${top + height + 40}" text-anchor="middle">indicators of the tenant</text>`,
  ];
  for (const value of powers(y)) {
    lines.push(
      `  <path class="grid" d="M${left} ${up(value)}h${width}" />`,
      `  <text class="small" x="${left - 6}" y="${up(value) + 4}" text-anchor="end">${value.toLocaleString("en")}</text>`,
    );
  }
  for (const value of powers(x)) {
    lines.push(
      `  <path class="grid" d="M${across(value)} ${top}v${height}" />`,
      `  <text class="small" x="${across(value)}" y="${top + height + 18}" text-anchor="middle">${value.toLocaleString("en")}</text>`,
    );
  }
  const ends = curves
    .map(({ name, points }) => ({ name, end: points.at(-1) }))
    .toSorted((one, other) => up(one.end?.milliseconds ?? 1) - up(other.end?.milliseconds ?? 1));
  // Each name at its curve's end, or lower if the one above it needs the place; then all move up to fit.
  const places: number[] = [];
  for (const { end } of ends) {
    places.push(Math.max(up(end?.milliseconds ?? 1), (places.at(-1) ?? 0) + nameHeight));
  }
  const beyond = Math.max(0, (places.at(-1) ?? 0) - (top + height));
  for (const { name, points } of curves) {
    const path = points.map(({ size, milliseconds }) => `${across(size)} ${up(milliseconds)}`);
    lines.push(`  <path class="curve c${names.indexOf(name)}" d="M${path.join("L")}" />`);
  }
  for (const [at, { name, end }] of ends.entries()) {
    const place = (places[at] ?? 0) - beyond;
    const [endX, endY] = [across(end?.size ?? 1), up(end?.milliseconds ?? 1)];
    lines.push(
      `  <path class="to" d="M${endX + 2} ${endY}L${left + width + 14} ${place}" />`,
      `  <text x="${left + width + 18}" y="${place + 4}">${name}</text>`,
    );
  }
  return lines.join("\n");
}

const round = (value: number): number => Math.round(value * 10) / 10;
