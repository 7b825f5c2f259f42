import { breakingKinds } from "./breaking-kinds.ts";
import { safeKinds } from "./safe-kinds.ts";

export const documentKinds = [...breakingKinds, ...safeKinds];
