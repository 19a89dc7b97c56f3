import { Fragment } from 'react'
import type { Connection } from '../../client/connection'
import { formatCurlCommand, type RequestPreview, formatRequestJson } from '../../client/request-preview'
import { announce } from '../../ui/announce'
import { copyText } from '../../ui/copy-text'
import { MenuHeading, MenuItem, MenuLine } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import type { ExportScope } from './ExportMenu'
import type { ExportFormat } from '../view/export-rows'

type Props = {
  selectedCount: number
  request: RequestPreview
  connection: Connection
  onExport: (scope: ExportScope, format: ExportFormat) => void
}

const formats = ['CSV', 'JSON', 'NDJSON'] as const

export function ExportMenuItems({ selectedCount, request, connection, onExport }: Props) {
  const scopes: { scope: ExportScope; heading: string; words: string }[] = [
    { scope: 'page', heading: 'Rows on screen', words: 'Rows on screen' },
    { scope: 'all', heading: 'All pages', words: 'All pages' },
    ...(selectedCount > 0 ? [{ scope: 'selected' as const, heading: `${selectedCount} selected`, words: 'Selected rows' }] : []),
  ]
  const copy = (text: string) => void copyText(text).then((isCopied) => announce(isCopied ? 'Copied' : 'Copying failed'))
  return (
    <>
      {scopes.map(({ scope, heading, words }) => (
        <Fragment key={scope}>
          <MenuHeading>{heading}</MenuHeading>
          {formats.map((format) => (
            <MenuItem key={format} icon={moreIcons.download} onSelect={() => onExport(scope, format)}>
              {`${words} as ${format}`}
            </MenuItem>
          ))}
        </Fragment>
      ))}
      <MenuLine />
      <MenuItem icon={moreIcons.copy} onSelect={() => copy(formatCurlCommand(request, connection, location.origin))}>
        Copy as curl
      </MenuItem>
      <MenuItem icon={moreIcons.copy} onSelect={() => copy(formatRequestJson(request))}>
        Copy the JSON request
      </MenuItem>
    </>
  )
}
