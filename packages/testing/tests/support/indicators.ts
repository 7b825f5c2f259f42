import type { Input } from "@security-platform/client";
import type { TestPlatform } from "../../src/index.ts";

type Indicator = Input<"indicator.create.v1">["body"]["indicators"][number];

export const indicator = (value: string): Indicator => ({
  type: "domain",
  value,
  action: "detect",
  severity: "high",
  platforms: ["linux"],
  applied_globally: true,
});

/** Creates an indicator and returns its id. */
export async function create({ client }: TestPlatform, value: string): Promise<string> {
  const body = { indicators: [indicator(value)] };
  const { data } = await client.ioc.createIndicators({ body });
  return data[0]?.id ?? "";
}

/** The values of all indicators, in order. */
export async function valuesOf({ client }: TestPlatform): Promise<readonly string[]> {
  const { data } = await client.ioc.listIndicators({ sort: "value.asc" });
  return data.map(({ value = "" }) => value);
}
