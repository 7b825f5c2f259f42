import { onMounted } from "vue";
import { onContentUpdated } from "vitepress";

const key = "sample-language";

/** Shows all groups of samples in the language that the reader chose last. */
export function rememberSamples(): void {
  onMounted(() => {
    document.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.closest(".vp-code-group .tabs") === null) return;
      localStorage.setItem(key, labelOf(target));
      show(labelOf(target));
    });
  });
  onContentUpdated(() => {
    const label = localStorage.getItem(key);
    if (label !== null) show(label);
  });
}

function show(label: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(".vp-code-group .tabs input")) {
    if (!input.checked && labelOf(input) === label) input.click();
  }
}

const labelOf = ({ id }: HTMLInputElement): string =>
  document.querySelector(`label[for="${CSS.escape(id)}"]`)?.textContent ?? "";
