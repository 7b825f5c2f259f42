import { expect, test } from "vitest";
import { clientFigures } from "./client-figures.ts";

const row = (name: string, right: string): string => `| ${name}  | Hosts; 7 of 9 | ${right}  |`;
const table = [
  row("FalconPy 1.6.6", "3 of 3"),
  row("gofalcon 0.21.1", "4 of 5"),
  row("Terraform provider, August 2026", "6 of 6"),
  row("falconjs 0.7.0", "2 of 2"),
  row("falcon-mcp 0.20.0", "1 of 1"),
  row("crimson-falcon 1.3.0", "8 of 9"),
];

test("the figures of clients are those of the guide", () => {
  const html = clientFigures(table.join("\n"));
  expect(html).toContain("<dt>gofalcon 0.21.1</dt><dd>4 of 5</dd>");
  expect(html).toContain("<dt>Terraform provider, August 2026</dt><dd>6 of 6</dd>");
  expect(() => clientFigures(table.slice(1).join("\n"))).toThrow(
    "guides/move-existing-clients.md has no row with the right calls of FalconPy",
  );
});
