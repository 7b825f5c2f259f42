import { readFileSync } from "node:fs";
import { instance } from "@viz-js/viz";
import { parse } from "yaml";
import { htmlBlock, pageAddress } from "../reference/html.ts";
import { joinBlocks, prose } from "../reference/markdown.ts";
import { schemaLink } from "../reference/places.ts";
import { drawGraph, type Graph } from "./draw-graph.ts";

/** From, what happens, to. */
type Arrow = readonly [string, string, string];

interface CollectionDiagrams {
  readonly records: Readonly<Record<string, { readonly schema?: string }>>;
  readonly relations: readonly Arrow[];
  readonly lifecycles?: readonly Lifecycle[];
}

interface Lifecycle {
  readonly title: string;
  /** Schema whose enumeration has the states. */
  readonly states?: string;
  readonly transitions: readonly Arrow[];
}

/** The diagrams by collection. */
export const collectionDiagrams = parse(
  readFileSync(new URL("collections.yaml", import.meta.url), "utf8"),
) as Readonly<Record<string, CollectionDiagrams>>;

const graphviz = await instance();

/** The diagrams of a collection with their text; empty for a collection without diagrams. */
export function diagramSections(collection: string): string {
  const diagrams = collectionDiagrams[collection];
  if (diagrams === undefined) return "";
  const { records, relations, lifecycles = [] } = diagrams;
  return joinBlocks([
    "## Records and their relations",
    figure("Records and their relations", recordGraph(records, relations), relations, sentence),
    ...lifecycles.flatMap(({ title, transitions }) => [
      `## ${prose(`${title} over time`)}`,
      figure(`${title} over time`, lifecycleGraph(transitions), transitions, transition),
    ]),
  ]).trimEnd();
}

function recordGraph(records: CollectionDiagrams["records"], relations: readonly Arrow[]): Graph {
  return {
    nodes: Object.entries(records).map(([name, { schema }]) => ({
      name,
      shape: "box",
      ...(schema !== undefined && { link: pageAddress(schemaLink(schema)) }),
    })),
    arrows: relations,
  };
}

function lifecycleGraph(transitions: readonly Arrow[]): Graph {
  const names = new Set(transitions.flatMap(([from, , to]) => [from, to]));
  return {
    nodes: [...names].map((name) => ({
      name,
      shape: name === "start" ? "start" : name === "end" ? "end" : "state",
    })),
    arrows: transitions,
  };
}

/** The picture, and the same as a list for those who cannot see it. */
function figure(
  label: string,
  graph: Graph,
  arrows: readonly Arrow[],
  text: (arrow: Arrow) => string,
): string {
  const items = arrows.map((arrow) => `<li>${text(arrow)}</li>`).join("");
  return htmlBlock(
    "diagram",
    `<div class="diagram-picture" tabindex="0" role="region" aria-label="${label}">${drawGraph(graphviz, graph, label)}</div><details><summary>As text</summary><ul>${items}</ul></details>`,
  );
}

const sentence = ([from, verb, to]: Arrow): string => `${from} ${verb} ${to}.`;

function transition([from, event, to]: Arrow): string {
  if (from === "start") return `${event}: ${to}.`;
  return to === "end" ? `${from}, ${event}: removed.` : `${from}, ${event}: ${to}.`;
}
