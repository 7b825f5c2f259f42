import { onMounted } from "vue";

/** Milliseconds for which a button says that it has copied. */
const shownFor = 2_000;

/** Buttons with `data-copy` copy its text. */
export function copyOnClick(): void {
  onMounted(() => document.addEventListener("click", copy));
}

function copy({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
  const text = button?.dataset["copy"];
  if (button === null || text === undefined) return;
  void navigator.clipboard.writeText(text).then(() => {
    const label = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, shownFor);
  });
}
