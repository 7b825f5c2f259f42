import { expect, test } from "vitest";
import { fewestConnections, poolSizeOf } from "./database-connections.ts";

test.each([
  [undefined, 1, 10],
  [undefined, 4, 5],
  [undefined, 64, 2],
  [4, 1, 2],
  [7, 1, 3],
  [100, 1, 50],
  [100, 8, 6],
  [32, 8, 2],
])("of %j connections, each of %j processes has twice %j", (connections, processes, size) => {
  const options = connections === undefined ? {} : { databaseConnections: connections };
  expect(poolSizeOf(options, processes)).toBe(size);
  if (connections === undefined) return;
  expect(connections).toBeGreaterThanOrEqual(fewestConnections(processes));
  expect(2 * size * processes).toBeLessThanOrEqual(connections);
});
