/** The `ref` of the field that takes the focus when its dialog opens. React's `autoFocus` acts before the dialog is shown. */
export function askForFocus(field: HTMLElement | null): void {
  field?.setAttribute('autofocus', '')
}
