/** The entry of the worker. A page sends `start` first. */
import { answerMessages, type Port } from "./answer-messages.ts";
import { loadTemplate } from "./template.ts";

// Loaded while the page starts.
const template = loadTemplate();
template.catch(() => undefined);
answerMessages(globalThis as unknown as Port, template);
