import { exportsPath, launch, type Export } from "./exports.ts";
import type { TestApi } from "./api.ts";

/** Exports whose files exist. Background work does not run during contract tests. */
export async function doneExports(api: TestApi): Promise<readonly Export[]> {
  const ids: string[] = [];
  for (const resource of ["images.packages", "images.vulnerabilities", "assets.pods"] as const) {
    ids.push(await launch(api, { resource, format: "json" }));
  }
  await api.work();
  const { body } = await api.request<readonly Export[]>("GET", exportsPath, { query: { ids } });
  return body;
}
