import { onMounted } from "vue";
import { onContentUpdated } from "vitepress";

/** Unfolds what contains the part of the page that the address names, and shows it. */
export function openTarget(): void {
  onContentUpdated(show);
  onMounted(() => {
    addEventListener("hashchange", show);
    // The address does not change when a reader follows the same link again.
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest('a[href^="#"]') !== null) setTimeout(show);
    });
  });
}

function show(): void {
  const target = document.querySelector(`[id="${CSS.escape(nameOf(location.hash))}"]`);
  if (target === null) return;
  let isFolded = false;
  for (let part = target.closest("details"); part !== null; part = outer(part)) {
    isFolded ||= !part.open;
    part.open = true;
  }
  if (isFolded) target.scrollIntoView();
}

const outer = (part: Element): HTMLDetailsElement | null =>
  part.parentElement?.closest("details") ?? null;

function nameOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
