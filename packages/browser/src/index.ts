export { startPlatform, type StartOptions } from "./page/start-platform.ts";
export type { PagePlatform } from "./page/page-platform.ts";
