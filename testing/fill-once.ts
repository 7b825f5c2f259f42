import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Fills `folder` unless it exists; returns it. Runs at the same time may fill it: each works on a folder of its
 * own, and the first to finish renames it, so an interrupted run leaves no incomplete `folder`.
 */
export async function fillOnce(
  folder: string,
  fill: (unfinished: string) => Promise<void>,
): Promise<string> {
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    await fill(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run may have been faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
