/** Libraries in the form of modules of Node.js, whose types these are. */
declare module "events/events.js" {
  import events = require("node:events");
  export = events;
}
declare module "readable-stream" {
  import stream = require("node:stream");
  export = stream;
}
