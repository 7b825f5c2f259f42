import { onMounted } from "vue";

/** Milliseconds for which a button says what happened. */
const shownFor = 2_000;

/** Buttons with `data-copy` copy its text. */
export function copyOnClick(): void {
  onMounted(() => document.addEventListener("click", (event) => void copy(event)));
}

async function copy({ target }: MouseEvent): Promise<void> {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
  const text = button?.dataset["copy"];
  if (button === null || text === undefined) return;
  const label = (button.dataset["label"] ??= button.textContent);
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => "Copied",
    () => "The browser refuses to copy",
  );
  setTimeout(() => {
    button.textContent = label;
  }, shownFor);
}
