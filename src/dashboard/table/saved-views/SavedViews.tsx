import { useEffect, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { SavedView, ViewPage } from '../../../contract/views'
import { useConnection } from '../../client/connection-context'
import { ForeignText } from '../../format/ForeignText'
import { announce } from '../../ui/announce'
import { Banner } from '../../ui/Banner'
import { buttonClass } from '../../ui/button-class'
import { copyText } from '../../ui/copy-text'
import { Icon } from '../../ui/Icon'
import { Menu, MenuHeading, MenuItem, MenuLine } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import { Popover } from '../../ui/Popover'
import { FailureActions, formatFailure } from '../grid/Failure'
import { useSavedViews } from './use-saved-views'
import { isViewState, readViewId, readViewState, toViewSearch, viewIdParam } from './view-state'
import { ViewDialog, type ViewQuestion } from './ViewDialog'

type Props = {
  page: ViewPage
  /** The names of the URL parameters that make up the page's view. */
  paramNames: readonly string[]
}

/** The saved views of a page: choose one, save what the page shows, share it. Nothing where the service keeps none. */
export function SavedViews({ page, paramNames }: Props) {
  const search = useSearch()
  const { projectId } = useConnection()
  const { views, failure, refetch, change } = useSavedViews(page)
  const [question, setQuestion] = useState<ViewQuestion>()
  const current = views?.find(({ id }) => id === readViewId(search))
  useOpenFromLink(current, search, paramNames)
  if (failure) return <UnreadViews error={failure} refetch={refetch} />
  if (!views) return null
  const state = readViewState(search, paramNames)
  const isModified = current !== undefined && !isViewState(current.state, search, paramNames)
  const save = async (view: SavedView) => {
    try {
      const saved = await change.mutateAsync({ kind: 'update', view, state })
      announce(`The view ${saved?.name ?? ''} is saved.`)
    } catch {
      // The dialog says what is wrong.
      setQuestion({ kind: 'save', view })
    }
  }
  const ask = (next: ViewQuestion) => {
    change.reset()
    setQuestion(next)
  }
  return (
    <>
      <Menu
        label="Views"
        align="end"
        renderTrigger={(trigger) => (
          <button
            type="button"
            {...trigger}
            aria-label={current ? `View ${current.name}${isModified ? ', modified' : ''}` : 'Views'}
            className={buttonClass(current ? 'plain' : 'quiet')}
          >
            <Icon name={moreIcons.bookmark} />
            {current ? (
              <span className="max-w-40 truncate">
                <ForeignText text={current.name} />
              </span>
            ) : (
              <span className="max-sm:hidden">Views</span>
            )}
            {isModified && <span className="text-quiet italic">modified</span>}
            <Icon name="chevron-down" className="-mr-1 size-3.5 text-quiet" />
          </button>
        )}
      >
        {views.length === 0 ? (
          <MenuHeading>No saved views yet</MenuHeading>
        ) : (
          views.map((view) => (
            <MenuItem key={view.id} isChecked={view.id === current?.id} onSelect={() => show(view)}>
              <span className="own-line block max-w-80 truncate">
                <ForeignText text={view.name} />
              </span>
            </MenuItem>
          ))
        )}
        <MenuLine />
        {current && isModified && (
          <>
            <MenuItem icon="check" onSelect={() => void save(current)}>
              Save changes
            </MenuItem>
            <MenuItem icon={moreIcons.undo} onSelect={() => show(current)}>
              Reset to saved
            </MenuItem>
          </>
        )}
        <MenuItem icon="plus" onSelect={() => ask({ kind: 'create' })}>
          Save as new view…
        </MenuItem>
        {current && (
          <>
            <MenuItem icon={moreIcons.link} onSelect={() => void copyLink(current, projectId)}>
              Copy link
            </MenuItem>
            <MenuItem icon={moreIcons.edit} onSelect={() => ask({ kind: 'rename', view: current })}>
              Rename…
            </MenuItem>
            <MenuItem icon={moreIcons.trash} onSelect={() => ask({ kind: 'delete', view: current })}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {question && (
        <ViewDialog
          page={page}
          // A change is made to the newest version, also of what somebody else has changed meanwhile.
          question={
            'view' in question
              ? { ...question, view: views.find(({ id }) => id === question.view.id) ?? question.view }
              : question
          }
          state={state}
          change={change}
          onClose={() => setQuestion(undefined)}
          onDone={(saved) => {
            setQuestion(undefined)
            replaceViewId(saved?.id)
          }}
        />
      )}
    </>
  )
}

/** No views would look like none that were saved. */
function UnreadViews({ error, refetch }: { error: Error; refetch: () => Promise<unknown> }) {
  return (
    <Popover
      label="Views"
      align="end"
      className="w-80"
      focusOn={(panel) => panel.querySelector('button')}
      renderTrigger={(trigger) => (
        <button
          type="button"
          {...trigger}
          aria-haspopup="dialog"
          aria-label="Views: they could not be read"
          className={buttonClass('quiet')}
        >
          <Icon name={moreIcons.bookmark} />
          <span className="max-sm:hidden">Views</span>
          <Icon name="warning" className="text-warn" />
          <Icon name="chevron-down" className="-mr-1 size-3.5 text-quiet" />
        </button>
      )}
    >
      {() => (
        <Banner
          tone="bad"
          className="m-2"
          title="The saved views could not be read"
          actions={<FailureActions error={error} refetch={refetch} />}
        >
          {formatFailure(error)}
        </Banner>
      )}
    </Popover>
  )
}

/** A shared link names the view alone: its state follows, once it is known. Later the person may have removed all of it. */
function useOpenFromLink(view: SavedView | undefined, search: string, paramNames: readonly string[]): void {
  // A table writes the columns that this device hides into every address.
  const isFresh = useRef(isViewState('', search, paramNames))
  useEffect(() => {
    if (!view || !isFresh.current) return
    isFresh.current = false
    if (view.state !== '') navigate(`${location.pathname}?${toViewSearch(view)}`, { replace: true })
  }, [view])
}

function show(view: SavedView): void {
  navigate(`${location.pathname}?${toViewSearch(view)}`)
}

/** Names the view that the page shows, or none. */
function replaceViewId(id: string | undefined): void {
  const params = new URLSearchParams(location.search)
  if (id === undefined) params.delete(viewIdParam)
  else params.set(viewIdParam, id)
  navigate(`${location.pathname}?${params.toString()}`, { replace: true })
}

/** The link opens the view as it is when it is opened. */
async function copyLink({ id, name }: SavedView, projectId: string): Promise<void> {
  const address = `${location.origin}${location.pathname}?${toViewSearch({ id, state: '' })}&project=${encodeURIComponent(projectId)}`
  announce((await copyText(address)) ? `The link to ${name} is copied.` : 'The browser does not allow copying.')
}
