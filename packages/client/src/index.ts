export * from "./core.ts";
export * from "./errors.ts";
export {
  createClient,
  type Client,
  type ClientOptions,
  type Input,
  type Result,
} from "./client.ts";
export { filters, type Collections } from "./generated/collections.ts";
