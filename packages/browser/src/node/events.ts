import { EventEmitter } from "events/events.js";

export { EventEmitter, once } from "events/events.js";

/** The library emits no event of this name. */
export const errorMonitor = Symbol("events.errorMonitor");

export default Object.assign(EventEmitter, { errorMonitor });
