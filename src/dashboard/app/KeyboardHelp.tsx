import { Dialog } from '../ui/Dialog'
import { Kbd } from '../ui/Kbd'
import { useIsAnswered } from '../ui/late-answers'
import { sections } from './pages'

type Shortcut = [keys: string[], effect: string]

const groups: { name: string; keys: Shortcut[] }[] = [
  {
    name: 'Everywhere',
    keys: [
      [['mod+K'], 'Command palette'],
      [['?'], 'This help'],
      ...sections.map(({ shortcut, title }): Shortcut => [['g', shortcut], title]),
    ],
  },
  {
    name: 'Tables',
    keys: [
      [['↑', '↓', '←', '→'], 'Move'],
      [['Home', 'End'], 'Go to the first or last'],
      [['Page Up', 'Page Down'], 'Move by one screen'],
      [['Enter'], 'Open the row'],
      [['Space'], 'Select the row'],
      [['Shift+Space'], 'Select the rows up to here'],
      [['j', 'k'], 'Next and previous row while one is open'],
      [['c'], 'Copy the id'],
      [['Esc'], 'Close the row'],
      [['Shift+Enter'], 'On a header: add it to the sort'],
    ],
  },
  {
    name: 'Turns of a thread',
    keys: [
      [['j', 'k'], 'Next and previous turn'],
      [['Enter'], 'Open the turn'],
      [['c'], 'Copy the id'],
      [['Esc'], 'Close the call, or go back to the turns'],
    ],
  },
  {
    name: 'Reviewing',
    keys: [
      [['mod+Enter'], 'Save, complete and go to the next item'],
      [['1 to 9'], 'Choose in this field: the first nine shown'],
      [['y', 'n'], 'Yes or no'],
      [['↑', '↓'], 'Previous or next field'],
      [['Enter'], 'Next field, or write or search in this one'],
      [['a letter'], 'Begin the text or search of this field'],
      [['Esc'], 'Leave the text or search, for S and U'],
      [['S'], 'Skip the item'],
      [['U'], 'Back to the last decision; a skip is taken back'],
      [['←', '→'], 'Previous or next item'],
    ],
  },
  {
    name: 'Scorer references',
    keys: [
      [['Enter'], 'Add the typed text'],
      [['Backspace'], 'In the empty field: go to the last one'],
      [['←', '→'], 'Go to the next or previous one'],
      [['Enter'], 'On one: edit it'],
      [['Delete'], 'On one: remove it'],
    ],
  },
]

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const shown = useIsAnswered() ? groups : []
  return (
    <Dialog title="Keyboard" onClose={onClose} className="w-160">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {shown.map(({ name, keys }) => (
          <section key={name} aria-label={name} className="first:row-span-2 sm:nth-2:row-span-2 sm:first:row-span-1">
            <h3 className="mb-1 font-semibold">{name}</h3>
            <dl>
              {keys.map(([list, effect]) => (
                <div key={effect} className="flex items-baseline justify-between gap-3 border-t border-line py-1">
                  <dt className="order-2 flex shrink-0 gap-1">
                    {list.map((each) => (
                      <Kbd key={each} keys={each} />
                    ))}
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
