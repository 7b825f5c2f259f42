/** Removes `dist` of the package in the working directory, so that old files are not packed. */
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
