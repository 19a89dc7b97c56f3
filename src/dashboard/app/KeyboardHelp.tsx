import { Dialog } from '../ui/Dialog'
import { Kbd } from '../ui/Kbd'

const groups: { name: string; keys: [keys: string[], does: string][] }[] = [
  {
    name: 'Everywhere',
    keys: [
      [['mod+K'], 'Command palette'],
      [['?'], 'This help'],
      [['g', 'c'], 'Costs'],
      [['g', 't'], 'Threads'],
      [['g', 'q'], 'Queues'],
      [['g', 's'], 'Send data'],
      [['g', 'n'], 'Connection'],
    ],
  },
  {
    name: 'Tables',
    keys: [
      [['↑', '↓', '←', '→'], 'Move'],
      [['Home', 'End'], 'First and last'],
      [['Page Up', 'Page Down'], 'By a screen'],
      [['Enter'], 'Open the row'],
      [['Space'], 'Select the row'],
      [['j', 'k'], 'Next and previous row while one is open'],
      [['c'], 'Copy the id'],
      [['Esc'], 'Close the row'],
      [['Shift+Enter'], 'On a header: sort by it too'],
    ],
  },
  {
    name: 'Scorer references',
    keys: [
      [['Enter'], 'Add what is typed'],
      [['Backspace'], 'In the empty field: to the last one'],
      [['←', '→'], 'From one to the next'],
      [['Enter'], 'On one: edit it'],
      [['Delete'], 'On one: remove it'],
    ],
  },
]

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard" onClose={onClose} className="w-160">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {groups.map(({ name, keys }) => (
          <section key={name} aria-label={name} className="first:row-span-2 sm:nth-2:row-span-2 sm:first:row-span-1">
            <h3 className="mb-1 font-semibold">{name}</h3>
            <dl>
              {keys.map(([list, does]) => (
                <div key={does} className="flex items-baseline justify-between gap-3 border-t border-line py-1">
                  <dt className="order-2 flex shrink-0 gap-1">
                    {list.map((each) => (
                      <Kbd key={each} keys={each} />
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
