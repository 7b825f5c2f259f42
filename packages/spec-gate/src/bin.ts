#!/usr/bin/env node
import { isMainThread } from "node:worker_threads";
import { runInThread, watch } from "./watch.ts";

if (isMainThread) process.exitCode = await watch(process.argv.slice(2), new URL(import.meta.url));
else await runInThread(process.argv.slice(2));
