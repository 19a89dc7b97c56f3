type Props = { label: string; isPicked: boolean; onPick: (isRange: boolean) => void; className?: string }

/** Picks a turn or a call. Not a tab stop: Space on its row does the same, so a press leaves the focus where it is. */
export function PickBox({ label, isPicked, onPick, className = '' }: Props) {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={label}
      checked={isPicked}
      readOnly
      className={`pick-box ${className}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        // The row around it would open.
        event.stopPropagation()
        onPick(event.shiftKey)
      }}
    />
  )
}
