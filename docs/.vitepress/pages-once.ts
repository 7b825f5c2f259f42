import { fileURLToPath } from "node:url";
import { changedFiles, type FileChanges } from "./changed-files.ts";
import type { Plugin } from "./platform-files.ts";

const importer = fileURLToPath(new URL("theme/import-page.ts", import.meta.url));

const changes: FileChanges = {
  "app/utils.js": [["/${pagePath}.${pageHash}.js`", "/${pagePath}.${pageHash}.lean.js`"]],
  "app/index.js": [
    [`pageFilePath = pageFilePath.replace(/\\.js$/, '.lean.js');`, ""],
    [
      `            else {
                pageModule = import(/*@vite-ignore*/ pageFilePath);`,
      `            else {
                pageModule = inBrowser && !isInitialPageLoad
                    ? importPage(pageFilePath, path)
                    : import(/*@vite-ignore*/ pageFilePath);`,
    ],
    ["import RawTheme", `import { importPage } from ${JSON.stringify(importer)};\nimport RawTheme`],
  ],
  "app/composables/preFetch.js": [
    ["doFetch(pageChunkPath);", "[pageChunkPath, pathname].forEach((each) => doFetch(each));"],
  ],
};

/**
 * Keeps the content of pages out of their scripts. VitePress writes two scripts for each page: one without its content,
 * for readers who open the page, and one with it, for readers who come by a link. The second is left out: `importPage`
 * takes the content from the page itself.
 */
export const pagesOnce: Plugin = {
  ...changedFiles("pages-once", changes),
  apply: "build",
  generateBundle: {
    // After VitePress has added the scripts without content.
    order: "post",
    handler(_options, bundle) {
      for (const key of Object.keys(bundle)) {
        if (bundle[`${key}-lean`] !== undefined) delete bundle[key];
      }
    },
  },
};
