import { withBase } from "vitepress";
import { ref } from "vue";

/** Whether the server of this page is a Security Platform; false until that is known. */
export const isServedHere = ref(false);

let looking: Promise<void> | undefined;

/** Finds out whether a server of the API serves this page: only then do its files have a trace id. */
export const lookForServer = (): Promise<void> => (looking ??= look());

async function look(): Promise<void> {
  const response = await fetch(withBase("/"), { method: "HEAD" }).catch(() => null);
  isServedHere.value = response?.headers.has("x-trace-id") === true;
}

/** The base URL of the server of this page, which serves it under `/docs/`, perhaps behind a path. */
export const serverHere = (): string =>
  location.origin + withBase("/").replace(/\/docs\/$|\/$/, "");
