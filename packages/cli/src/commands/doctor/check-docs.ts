import { siteProblem } from "@security-platform/server/internal";
import { cureOfDocs } from "../serve/docs-folder.ts";
import { ok, warn, type Finding } from "./finding.ts";

/** `secplat serve` can show all pages of this installation. Without them, the API works as before. */
export async function checkDocs(folder: string): Promise<Finding> {
  const name = "docs";
  const problem = await siteProblem(folder);
  return problem === null ? ok(name, folder) : warn(name, problem.message, cureOfDocs);
}
