import { useState } from 'react'
import { ForeignText } from '../format/ForeignText'
import { Button } from '../ui/Button'
import { Chip } from '../ui/Chip'
import { IconButton } from '../ui/IconButton'
import { moreIcons } from '../ui/more-icons'
import { useConnectionState } from './connection-store-context'
import { RemoveConnection } from './RemoveConnection'

type Props = {
  shownId: string | undefined
  onShow: (id: string) => void
  onUse: (id: string) => void
  onRemove: (id: string) => void
}

export function ConnectionList({ shownId, onShow, onUse, onRemove }: Props) {
  const { connections, current } = useConnectionState()
  const [removed, setRemoved] = useState<{ id: string; name: string }>()
  return (
    <nav aria-label="Connections" className="border-b border-line pb-3 lg:border-b-0">
      <ul>
        {connections.map(({ id, name, baseUrl, username }) => (
          <li
            key={id}
            className={`flex items-center gap-2 border-b border-line py-2 pr-2 pl-4 ${id === shownId ? 'bg-selected' : ''}`}
          >
            <button
              type="button"
              aria-current={id === shownId || undefined}
              onClick={() => onShow(id)}
              className="min-w-0 flex-1 cursor-pointer text-left"
            >
              <span className="block truncate font-semibold">{name}</span>
              <span className="block truncate text-xs text-quiet">
                {baseUrl === '' ? location.host : baseUrl}
                {username && (
                  <>
                    {' · '}
                    <ForeignText text={username} />
                  </>
                )}
              </span>
            </button>
            {id === current?.id ? (
              <Chip tone="good">in use</Chip>
            ) : (
              <Button aria-label={`Use ${name}`} onClick={() => onUse(id)}>
                Use
              </Button>
            )}
            <IconButton icon={moreIcons.trash} label={`Remove ${name}`} onClick={() => setRemoved({ id, name })} />
          </li>
        ))}
      </ul>
      <Button variant="quiet" icon="plus" onClick={() => onShow('new')} className="mt-2 ml-2">
        Add connection
      </Button>
      {removed && (
        <RemoveConnection
          name={removed.name}
          onClose={() => setRemoved(undefined)}
          onRemove={() => {
            setRemoved(undefined)
            onRemove(removed.id)
          }}
        />
      )}
    </nav>
  )
}
