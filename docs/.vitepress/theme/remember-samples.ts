import type { Router } from "vitepress";

const key = "sample-language";

/** Shows all groups of samples in the language that the reader chose last. */
export function rememberSamples(router: Router): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest(".vp-code-group .tabs") === null)
      return;
    const label = labelOf(target);
    localStorage.setItem(key, label);
    show(label, target);
  });
  const showChosen = (): void => {
    const label = localStorage.getItem(key);
    if (label !== null) requestAnimationFrame(() => show(label));
  };
  router.onAfterRouteChange = showChosen;
  window.addEventListener("load", showChosen);
}

function show(label: string, chosen?: HTMLInputElement): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(".vp-code-group .tabs input")) {
    if (input !== chosen && !input.checked && labelOf(input) === label) input.click();
  }
}

const labelOf = ({ id }: HTMLInputElement): string =>
  document.querySelector(`label[for="${CSS.escape(id)}"]`)?.textContent ?? "";
