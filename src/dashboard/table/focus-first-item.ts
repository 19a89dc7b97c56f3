/** A ref for the content of a menu that was loaded after the menu opened: the menu itself could focus nothing yet. */
export function focusFirstItem(element: HTMLElement | null): void {
  element?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
}
