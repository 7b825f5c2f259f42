/** Files of an earlier build that this build does not create must not be packed. */
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
