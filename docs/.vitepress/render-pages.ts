/** The thread of `tests/other-base.test.ts`: the configuration reads its environment when it is loaded. */
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { createMarkdownRenderer } from "vitepress";
import config from "./config.ts";

export interface RenderedPages {
  /** The rendered pages, without head and navigation. */
  readonly pages: readonly string[];
  readonly head: unknown;
}

const { folder, paths } = workerData as {
  readonly folder: string;
  readonly paths: readonly string[];
};
const markdown = await createMarkdownRenderer(folder, config.markdown, config.base);
const pages = paths.map((path) =>
  markdown.render(readFileSync(`${folder}${path}`, "utf8"), {
    path: `${folder}${path}`,
    relativePath: path.replace("generated/", ""),
  }),
);
parentPort?.postMessage({ pages, head: config.head } satisfies RenderedPages);
