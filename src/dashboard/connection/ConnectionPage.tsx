import { useMutation } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { PageHeader } from '../ui/PageHeader'
import { ConnectionForm } from './ConnectionForm'
import { ConnectionList } from './ConnectionList'
import { hasOwnSession } from './connection-store'
import { useConnectionState, useConnectionStore } from './connection-store-context'
import { endServerSession } from './end-server-session'
import { newConnection } from './new-connection'
import { SignedInAs } from './SignedInAs'

type SignOut = { isEverywhere?: boolean; removedId?: string }

/** The connections of this device, with a form for one of them. `?edit=<id>` or `?edit=new` selects it. */
export function ConnectionPage() {
  const store = useConnectionStore()
  const { connections, current, note, sessionUsername } = useConnectionState()
  const search = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()

  const editId = search.get('edit') ?? current?.id ?? 'new'
  const edited = connections.find(({ id }) => id === editId)
  const isInUse = edited !== undefined && edited.id === current?.id
  const show = (id?: string) => navigate(id === undefined ? '/connection' : `/connection?edit=${id}`)

  const signOut = useMutation({
    mutationFn: async ({ isEverywhere = false }: SignOut) => {
      if (current) await endServerSession(current, isEverywhere)
    },
    onSuccess: (_, { removedId }) => {
      store.signOut()
      if (removedId === undefined) show()
      else remove(removedId)
    },
  })
  // Without `edit` the sign-in form replaces this page where nobody is signed in.
  const showUsed = (id: string) => show(store.getState().current ? id : undefined)
  const remove = (id: string) => {
    store.remove(id)
    show()
  }

  return (
    <div className="flex min-h-full flex-col">
      <PageHeader title="Connection">
        {current && (
          <Button icon={moreIcons.lock} isBusy={signOut.isPending} onClick={() => signOut.mutate({})}>
            Sign out
          </Button>
        )}
      </PageHeader>
      {signOut.error && (
        <Banner tone="bad" title="You may still be signed in" className="mx-4 mb-4">
          {signOut.error.message}
        </Banner>
      )}
      <div className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start border-t border-line lg:content-stretch lg:grid-cols-[20rem_minmax(0,36rem)]">
        <ConnectionList
          shownId={edited?.id}
          onShow={show}
          onUse={(id) => {
            store.select(id)
            showUsed(id)
          }}
          onRemove={(id) => {
            if (id === current?.id) signOut.mutate({ removedId: id })
            else remove(id)
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
          {isInUse && hasOwnSession(edited) && (
            <SignedInAs
              connection={current}
              isBusy={signOut.isPending}
              onSignOutEverywhere={() => signOut.mutate({ isEverywhere: true })}
            />
          )}
          <ConnectionForm
            key={edited ? `${edited.id} ${isInUse ? current.projectId : ''}` : 'new'}
            saved={edited ? { ...edited, projectId: isInUse ? current.projectId : edited.projectId } : newConnection()}
            knownPassword={edited && store.passwordOf(edited.id)}
            sessionUsername={sessionUsername}
            submitLabel={isInUse ? 'Save' : 'Save and use'}
            onSave={(saved, password) => {
              store.save(saved, password, true)
              if (edited) showUsed(saved.id)
              else navigate('/costs')
            }}
            onCancel={edited ? undefined : () => show()}
          />
        </section>
      </div>
    </div>
  )
}
