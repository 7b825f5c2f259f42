import { onContentUpdated } from "vitepress";
import { isServedHere, lookForServer, serverHere } from "./served-here.ts";

/** The base URL in the samples as they are written: that of `secplat serve` without options. */
const written = "http://127.0.0.1:8080";

/** Shows the base URL of the platform that serves this page in all samples, so that they run as they are copied. */
export function showThisServer(): void {
  onContentUpdated(async () => {
    if (!document.querySelector("main")?.textContent.includes(written)) return;
    await lookForServer();
    if (!isServedHere.value || serverHere() === written) return;
    const samples = document.querySelectorAll("main code");
    for (const sample of samples) replaceIn(sample);
  });
}

/** The text nodes stay, because the page's scripts have bound them. */
function replaceIn(sample: Element): void {
  const texts = document.createTreeWalker(sample, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.nodeValue?.includes(written) === true) {
      text.nodeValue = text.nodeValue.replaceAll(written, serverHere());
    }
  }
}
