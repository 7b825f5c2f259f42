/** What an earlier build left and this one does not make must not be packed. */
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
