import { instance } from "@viz-js/viz";
import { rooms } from "./rooms.ts";
import type { ICruiseResult } from "dependency-cruiser";

/** The pictures of `docs/architecture/README.md`: the folder whose rooms each shows, by path. */
export const pictures: Readonly<Record<string, string>> = {
  "docs/architecture/server.svg": "packages/server/src",
  "docs/architecture/store.svg": "packages/server/src/store",
};

const graphviz = await instance();

/** An SVG of the rooms of a folder, a row for each layer. Imports that also go through other rooms are left out. */
export function drawRooms({ modules }: ICruiseResult, folder: string): string {
  const layers = rooms[folder] ?? [];
  const names = layers.flat().toSorted((one, other) => other.length - one.length);
  const roomOf = (file: string): string | undefined =>
    names.find((name) => `${file}/`.startsWith(`${folder}/${name}/`));
  const imported = new Map(names.map((name) => [name, new Set<string>()]));
  for (const { source, dependencies } of modules) {
    const importer = roomOf(source);
    for (const { resolved } of dependencies) {
      const room = roomOf(resolved);
      if (importer !== undefined && room !== undefined && room !== importer) {
        imported.get(importer)?.add(room);
      }
    }
  }
  const reaches = (from: string, to: string): boolean =>
    [...(imported.get(from) ?? [])].some((room) => room === to || reaches(room, to));
  const drawn = graphviz.renderString(
    {
      graphAttributes: { nodesep: 0.15, ranksep: 0.5, bgcolor: "white", fontname: "Helvetica" },
      nodeAttributes: {
        shape: "box",
        style: "rounded,filled",
        color: "#4a7bb0",
        fillcolor: "#eef4fb",
        fontname: "Helvetica",
        fontsize: 11,
      },
      edgeAttributes: { color: "#4a7bb0", arrowsize: 0.5 },
      subgraphs: layers.map((layer) => ({
        graphAttributes: { rank: "same" },
        nodes: layer.map((name) => ({ name, attributes: { label: name.replace(".ts", "") } })),
      })),
      edges: [...imported].flatMap(([tail, heads]) =>
        [...heads]
          .filter((head) => ![...heads].some((other) => other !== head && reaches(other, head)))
          .map((head) => ({ tail, head })),
      ),
    },
    { format: "svg" },
  );
  const [svg = ""] = /<svg[^]*<\/svg>/.exec(drawn) ?? [];
  return `${svg.replaceAll(/<!--[^]*?-->\n|<title>[^<]*<\/title>\n| id="[^"]*"/g, "")}\n`;
}
