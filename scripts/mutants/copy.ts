import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";

/** A new folder for a copy. Links of modules are compared with it, so it is not a link. */
export const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "mutants-")));

/**
 * Copies the checkout with its uncommitted changes and generated files, and links its modules. Faults are planted in
 * the copy, so that nothing can leave one in the checkout.
 */
export function copyCheckout(root: string, folder: string): void {
  for (const path of sourceFiles(root)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { verbatimSymlinks: true });
  }
  for (const place of ["packages", "."]) {
    for (const name of readdirSync(join(root, place))) {
      const modules = join(place, name, "node_modules");
      if (existsSync(join(root, modules))) linkModules(root, folder, modules);
    }
  }
  linkModules(root, folder, "node_modules");
}

function sourceFiles(root: string): readonly string[] {
  const list = (...words: readonly string[]): readonly string[] =>
    execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard", ...words], {
      cwd: root,
      maxBuffer: 1 << 30,
    })
      .toString()
      .split("\0");
  const generated = list("--ignored", "--", "packages").filter(
    (path) => path.includes("/generated/") && !/(?:^|\/)(?:node_modules|dist)\//.test(path),
  );
  // Deleted files are still listed.
  return [...list("--cached"), ...generated].filter(
    (path) => path !== "" && existsSync(join(root, path)),
  );
}

/** Links each module. Links of npm to the repository's packages lead to those of the copy. */
function linkModules(root: string, copy: string, place: string): void {
  mkdirSync(join(copy, place), { recursive: true });
  for (const name of readdirSync(join(root, place))) {
    if (name.startsWith(".")) continue;
    const path = join(place, name);
    if (name.startsWith("@")) {
      linkModules(root, copy, path);
      continue;
    }
    const source = join(root, path);
    const own = relative(realpathSync(root), realpathSync(source));
    const isPackage =
      lstatSync(source).isSymbolicLink() &&
      !own.startsWith("..") &&
      !own.split(sep).includes("node_modules");
    // Windows lets every user create junctions.
    symlinkSync(isPackage ? join(copy, own) : source, join(copy, path), "junction");
  }
}
