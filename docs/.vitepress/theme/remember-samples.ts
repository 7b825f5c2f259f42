import { onMounted } from "vue";
import { onContentUpdated } from "vitepress";

const key = "sample-language";

/** Shows all groups of samples in the language that the reader chose last. */
export function rememberSamples(): void {
  onMounted(() => {
    document.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      if (target.closest(".vp-code-group .tabs") === null) return;
      keep(labelOf(target));
      show(labelOf(target));
    });
  });
  onContentUpdated(() => {
    const label = kept();
    if (label !== null) show(label);
  });
}

/** Browsers may refuse storage. Then the choice ends with the page. */
function keep(label: string): void {
  try {
    localStorage.setItem(key, label);
  } catch {
    chosen = label;
  }
}

function kept(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return chosen;
  }
}

let chosen: string | null = null;

function show(label: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(".vp-code-group .tabs input")) {
    if (!input.checked && labelOf(input) === label) input.click();
  }
}

const labelOf = ({ id }: HTMLInputElement): string =>
  document.querySelector(`label[for="${CSS.escape(id)}"]`)?.textContent ?? "";
