import { useLocation, useSearchParams } from 'wouter'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { PageHeader } from '../ui/PageHeader'
import { ConnectionForm } from './ConnectionForm'
import { ConnectionList } from './ConnectionList'
import { useConnectionState, useConnectionStore } from './connection-store-context'
import { newConnection } from './new-connection'

/** The connections of this device, with a form for one of them. `?edit=<id>` or `?edit=new` selects it. */
export function ConnectionPage() {
  const store = useConnectionStore()
  const { connections, current, note } = useConnectionState()
  const [search, setSearch] = useSearchParams()
  const [, navigate] = useLocation()

  const editId = search.get('edit') ?? current?.id ?? 'new'
  const edited = connections.find(({ id }) => id === editId)
  const isInUse = edited !== undefined && edited.id === current?.id
  const show = (id?: string) => setSearch(id === undefined ? {} : { edit: id })

  return (
    <div className="flex min-h-full flex-col">
      <PageHeader title="Connection">
        {current && (
          <Button icon={moreIcons.lock} onClick={() => store.signOut()}>
            Sign out
          </Button>
        )}
      </PageHeader>
      <div className="grid flex-1 content-start border-t border-line lg:content-stretch lg:grid-cols-[20rem_minmax(0,36rem)]">
        <ConnectionList
          shownId={edited?.id}
          onShow={show}
          onUse={(id) => {
            store.select(id)
            show(id)
          }}
          onRemove={(id) => {
            store.remove(id)
            show()
          }}
        />
        <section
          aria-label={edited ? `Connection ${edited.name}` : 'New connection'}
          className="px-4 py-4 lg:border-l lg:border-line"
        >
          {note && (
            <Banner tone={note.tone} title={note.title} className="mb-4">
              {note.text}
            </Banner>
          )}
          <h2 className="mb-3 font-semibold">{edited ? edited.name : 'New connection'}</h2>
          <ConnectionForm
            key={edited ? `${edited.id} ${isInUse ? current.projectId : ''}` : 'new'}
            saved={edited ? { ...edited, projectId: isInUse ? current.projectId : edited.projectId } : newConnection()}
            knownPassword={edited && store.passwordOf(edited.id)}
            submitLabel={isInUse ? 'Save' : 'Save and use'}
            onSave={(saved, password) => {
              store.save(saved, password, true)
              if (edited) show(saved.id)
              else navigate('/costs')
            }}
            onCancel={edited ? undefined : () => show()}
          />
        </section>
      </div>
    </div>
  )
}
