/** One module to load for sending and for receiving files: bundlers split two, and what they share, badly. */
export { receiveFile } from "./receive-file.ts";
export { formWithFiles } from "./send-files.ts";
