/** For `--import`: prints the URL of every module that is loaded, one a line. */
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, next) {
    process.stderr.write(`loaded ${url}\n`);
    return next(url, context);
  },
});
