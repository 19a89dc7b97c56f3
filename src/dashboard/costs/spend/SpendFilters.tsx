import { lazyPart } from '../../client/lazy-part'
import { usePreferences } from '../../format/preferences'
import { ForeignText } from '../../format/ForeignText'
import { nameOps } from '../../format/op-name'
import { formatVisibleText } from '../../format/visible-text'
import { ChoiceChip } from '../../table/filter/ChoiceChip'
import { FilterChip } from '../../table/filter/FilterChip'
import type { SetView } from '../../table/view/use-url-state'
import { Chip } from '../../ui/Chip'
import { readReferenceModels, spendGroups, spendParams, type SpendView } from './spend-view'
import { formatRange } from './spend-window'

// Both are part of the file of the filters' popovers.
const WindowForm = lazyPart(async () => (await import('./WindowForm')).WindowForm)
const WhatIfPicker = lazyPart(async () => (await import('./WhatIfPicker')).WhatIfPicker)

export const windowTexts = { '24h': 'last 24 h', '7d': 'last 7 days', '30d': 'last 30 days' } as const

type Props = { view: SpendView; setView: SetView<SpendView> }

export function SpendFilters({ view, setView }: Props) {
  const { zone } = usePreferences()
  const references = readReferenceModels(view)
  const opNames = nameOps(view.op)
  const isRange = view.after !== '' || view.before !== ''
  return (
    <>
      <FilterChip
        label="Window"
        value={isRange ? formatRange(view, zone) : windowTexts[view.window]}
        isSet={isRange || view.window !== spendParams.window.defaultValue}
      >
        {(close) => <WindowForm view={view} setView={setView} close={close} />}
      </FilterChip>
      <ChoiceChip
        label="Group by"
        value={view.group}
        choices={spendGroups}
        onChange={(group) => setView({ group, sort: spendParams.sort.defaultValue })}
      />
      <FilterChip
        label="What if"
        unsetText="What if"
        value={
          references.length === 0
            ? undefined
            : references.length === 1
              ? formatVisibleText(references[0]?.llm_id ?? '')
              : `${references.length} models`
        }
        isSet={references.length > 0}
      >
        {() => <WhatIfPicker view={view} setView={setView} />}
      </FilterChip>
      {spendGroups.flatMap(({ label, param }) =>
        view[param].map((value) => {
          const name = (param === 'op' && opNames.get(value)) || value
          return (
            <span key={`${param} ${value}`} className="max-w-56 min-w-0">
              <Chip
                onRemove={() => setView({ [param]: view[param].filter((each) => each !== value) })}
                removeLabel={`Remove the filter ${label} ${formatVisibleText(name)}`}
              >
                <span className="flex gap-1">
                  <span className="text-quiet">{label}</span>
                  <span className="min-w-0">
                    <ForeignText text={name} title={value} isOneLine />
                  </span>
                </span>
              </Chip>
            </span>
          )
        }),
      )}
    </>
  )
}
