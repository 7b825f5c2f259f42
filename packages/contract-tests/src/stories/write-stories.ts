import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { document } from "@security-platform/spec";
import { platformContract, withoutCompanion } from "../contract.ts";
import { platformRecipes, Recipes } from "../recipes/recipes.ts";
import { storiesOf } from "./stories.ts";

/** Writes `stories.arazzo.json` and the OpenAPI document that it refers to; returns its path. */
export function writeStories(folder: string, seed: string): string {
  const contract = withoutCompanion(platformContract());
  const recipes = new Recipes(contract, platformRecipes);
  const stories = storiesOf(contract, recipes, { documentUrl: "openapi.json", seed });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document()));
  const file = join(folder, "stories.arazzo.json");
  writeFileSync(file, `${JSON.stringify(stories, null, 2)}\n`);
  return file;
}
