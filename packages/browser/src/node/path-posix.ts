export { basename, extname } from "./path.ts";
