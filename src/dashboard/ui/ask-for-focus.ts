/** The `ref` of the field that takes the focus when its dialog opens. React's `autoFocus` acts before the dialog is shown. */
export function askForFocus(field: HTMLElement | null): void {
  field?.setAttribute('autofocus', '')
}

/** The same for a field with a text that the next key may replace. */
export function askToReplace(field: HTMLInputElement | null): void {
  askForFocus(field)
  field?.select()
}
