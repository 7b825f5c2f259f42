import type { Viz } from "@viz-js/viz";
import { escape } from "../reference/html.ts";

export interface Graph {
  readonly nodes: readonly GraphNode[];
  /** From, label, to. */
  readonly arrows: readonly (readonly [string, string, string])[];
}

interface GraphNode {
  readonly name: string;
  readonly shape: "box" | "state" | "start" | "end";
  readonly link?: string;
}

const shapes = {
  box: { shape: "box", margin: "0.16,0.09" },
  state: { shape: "box", style: "rounded", margin: "0.16,0.09" },
  start: { shape: "circle", label: "", width: 0.16, fixedsize: true },
  end: { shape: "doublecircle", label: "", width: 0.13, fixedsize: true },
} as const;

/** Graphviz measures text with this font; the page shows its own, which is as wide or narrower. */
const font = { fontname: "Helvetica", fontsize: 13 };

/**
 * Draws a graph as SVG without colours and fonts: the style sheet of the site sets them by the classes `node`, `start`,
 * `end` and `edge`.
 */
export function drawGraph(graphviz: Viz, graph: Graph, label: string): string {
  const wide = draw(graphviz, graph, label, "LR");
  return widthOf(wide) > widest ? draw(graphviz, graph, label, "TB") : wide;
}

/** Pixels that a page has for a diagram; a wider one runs from top to bottom instead. */
const widest = 800;

const widthOf = (svg: string): number => Number(/ width="(\d+)"/.exec(svg)?.[1]);

function draw(
  graphviz: Viz,
  { nodes, arrows }: Graph,
  label: string,
  rankdir: "LR" | "TB",
): string {
  const drawn = graphviz.renderString(
    {
      graphAttributes: { rankdir, nodesep: 0.35, ranksep: 0.6, pad: 0.1, bgcolor: "none" },
      nodeAttributes: font,
      edgeAttributes: { ...font, fontsize: 11.5, arrowsize: 0.7 },
      nodes: nodes.map(({ name, shape, link }) => ({
        name,
        attributes: {
          ...shapes[shape],
          class: shape,
          ...(link !== undefined && { href: link, tooltip: name }),
        },
      })),
      edges: arrows.map(([tail, text, head]) => ({ tail, head, attributes: { label: text } })),
    },
    { format: "svg" },
  );
  const [svg = ""] = /<svg[^]*<\/svg>/.exec(drawn) ?? [];
  return (
    svg
      .replaceAll(/<!--[^]*?-->/g, "")
      .replaceAll(/<title>[^<]*<\/title>/g, "")
      .replaceAll(/ (?:fill|stroke|font-family|font-size|xmlns:xlink|xlink:title)="[^"]*"/g, "")
      .replaceAll("xlink:href", "href")
      // Graphviz counts in points; the texts have the size of the page's.
      .replaceAll(/(?<= (?:width|height)="\d+)pt/g, "")
      .replaceAll(/ id="[^"]*"/g, "")
      .replaceAll(/\s*\n\s*/g, "")
      // An image must not contain links.
      .replace(
        "<svg ",
        `<svg role="${svg.includes("href") ? "group" : "img"}" aria-label="${escape(label)}" `,
      )
  );
}
