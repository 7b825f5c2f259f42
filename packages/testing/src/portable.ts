/** What the hosts of a platform for tests share, in Node.js and in a browser. It changes with any version. */
export {
  checkChoice,
  checkOptions,
  instantOf,
  type Settings,
  type StartOptions,
} from "./options.ts";
export { seedBuilders, type SeedBuilders } from "./seed-builders.ts";
export type {
  Credentials,
  FetchInput,
  PlatformClock,
  Seed,
  SeededTenant,
  TestPlatform,
} from "./test-platform.ts";
