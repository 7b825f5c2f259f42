import { escape } from "./reference/html.ts";

/** Clients on the home page, as the table starts their names. */
const shown = [
  "FalconPy",
  "gofalcon",
  "Terraform provider",
  "falconjs",
  "falcon-mcp",
  "crimson-falcon",
] as const;

/** Right calls of existing clients, from the table in the guide about moving them. Throws if a client is missing. */
export function clientFigures(guide: string): string {
  const figures = shown.map((client) => {
    const row = new RegExp(`^\\| (${client}[^|]*?) *\\|.*\\| (\\d+ of \\d+) +\\|$`, "m").exec(
      guide,
    );
    const [, name, right] = row ?? [];
    if (name === undefined || right === undefined) {
      throw new Error(
        `guides/move-existing-clients.md has no row with the right calls of ${client}`,
      );
    }
    return `<div><dt>${escape(name)}</dt><dd>${right}</dd></div>`;
  });
  return `<dl class="figures">${figures.join("")}</dl>\n`;
}
