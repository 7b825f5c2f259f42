import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** What an editor shows for the first occurrence of a name in a file, when the pointer is over it. */
export function hover(folder: string, file: string, name: string): string {
  const path = join(folder, file);
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [path],
    getScriptVersion: () => "1",
    getScriptSnapshot: (each) => {
      const text = ts.sys.readFile(each);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const position = readFileSync(path, "utf8").search(new RegExp(String.raw`\b${name}\b`));
  const { displayParts } = service.getQuickInfoAtPosition(path, position) ?? {};
  return ts.displayPartsToString(displayParts);
}
