/** Prints the URL of every loaded module, one a line. Use it with `--import`. */
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, next) {
    process.stderr.write(`loaded ${url}\n`);
    return next(url, context);
  },
});
