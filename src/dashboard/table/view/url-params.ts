/**
 * One parameter of a view's URL. `parse` returns undefined for text that is no value of it: the parameter then has its
 * default value, and the others still count.
 */
export type UrlParam<Value> = {
  defaultValue: Value
  parse: (stringParam: string) => Value | undefined
  format: (value: Value) => string
  /** Whether the page number stays when this parameter changes. */
  keepsPage?: boolean
}

// oxlint-disable-next-line typescript/no-explicit-any -- parameters of different types have no narrower common type
export type UrlParams = Record<string, UrlParam<any>>
export type ParamValues<P extends UrlParams> = { [Key in keyof P]: P[Key]['defaultValue'] }

export function enumParam<const Value extends string>(values: readonly Value[], defaultValue: Value): UrlParam<Value> {
  return { defaultValue, parse: (written) => values.find((value) => value === written), format: (value) => value }
}

export function integerParam(defaultValue: number, isAccepted: (value: number) => boolean): UrlParam<number> {
  return {
    defaultValue,
    parse: (written) => (/^\d{1,9}$/.test(written) && isAccepted(Number(written)) ? Number(written) : undefined),
    format: String,
  }
}

/** Free text; '' means not set. */
export function stringParam(maxLength = 1000): UrlParam<string> {
  return { defaultValue: '', parse: (value) => (value.length <= maxLength ? value : undefined), format: (value) => value }
}

/** Text of a certain form, such as a date; '' means not set. */
export function validStringParam(isAccepted: (value: string) => boolean): UrlParam<string> {
  return { defaultValue: '', parse: (value) => (isAccepted(value) ? value : undefined), format: (value) => value }
}

/** A list of texts, which may contain commas. */
export function stringListParam(maxCount = 1000): UrlParam<readonly string[]> {
  return {
    defaultValue: [],
    parse: (joined) => {
      const values = parseList(joined)
      return values && values.length <= maxCount ? values : undefined
    },
    format: formatList,
  }
}

export type SortKey = { id: string; direction: 'asc' | 'desc' }

/** `-effective_date,llm_id`: `-` is descending. Unknown and repeated ids are dropped. */
export function sortParam(ids: readonly string[], defaultValue: readonly SortKey[]): UrlParam<readonly SortKey[]> {
  return {
    defaultValue,
    parse: (joined) => {
      const keys = (joined === '' ? [] : joined.split(',')).map((part): SortKey =>
        part.startsWith('-') ? { id: part.slice(1), direction: 'desc' } : { id: part, direction: 'asc' },
      )
      const known = keys.filter((key, index) => ids.includes(key.id) && keys.findIndex(({ id }) => id === key.id) === index)
      return keys.length > 0 && known.length === 0 ? undefined : known
    },
    format: (keys) => keys.map(({ id, direction }) => (direction === 'desc' ? `-${id}` : id)).join(','),
  }
}

export const pageSizes = [25, 50, 100, 200] as const

/** The URL parameters of every table. Where `hidden` is undefined, this device decides. */
export function tableParams(columnIds: readonly string[], sort: readonly SortKey[]) {
  const hidden: UrlParam<readonly string[] | undefined> = {
    defaultValue: undefined,
    parse: (joined) => parseList(joined)?.filter((id) => columnIds.includes(id)),
    format: (ids) => (ids === undefined ? '*' : formatList(ids)),
    keepsPage: true,
  }
  return {
    sort: sortParam(columnIds, sort),
    page: { ...integerParam(1, (page) => page >= 1 && page <= 1_000_000), keepsPage: true },
    size: integerParam(50, (size) => pageSizes.some((known) => known === size)),
    // Ids of other services have any length.
    row: { ...stringParam(8000), keepsPage: true },
    hidden,
  }
}

export type TableView = ParamValues<ReturnType<typeof tableParams>>

/** The view in a URL. Missing and invalid parameters have their default values. */
export function parseView<P extends UrlParams>(params: P, search: string): ParamValues<P> {
  const searchParams = new URLSearchParams(search)
  const values = Object.entries(params).map(([name, param]) => {
    const text = searchParams.get(name)
    const value: unknown = text === null ? undefined : param.parse(text)
    return [name, value ?? param.defaultValue]
  })
  return Object.fromEntries(values) as ParamValues<P> // Object.fromEntries loses the type of each name
}

/** The search part of the URL after a change. Default values are left out; unknown parameters stay. */
export function updateSearch<P extends UrlParams>(params: P, search: string, change: Partial<ParamValues<P>>): string {
  const searchParams = new URLSearchParams(search)
  const resetsPage = Object.keys(change).some((name) => !params[name]?.keepsPage)
  const next = { ...parseView(params, search), ...(resetsPage && 'page' in params && { page: 1 }), ...change }
  for (const [name, param] of Object.entries(params)) {
    const written = param.format(next[name])
    if (written === param.format(param.defaultValue)) searchParams.delete(name)
    else searchParams.set(name, written)
  }
  // A query may contain commas, colons and slashes, and they are easier to read unescaped.
  return searchParams.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/')
}

function formatList(values: readonly string[]): string {
  return values.map((value) => value.replaceAll('\\', '\\\\').replaceAll(',', '\\,')).join(',') || (values.length > 0 ? '\\' : '')
}

function parseList(joined: string): string[] | undefined {
  if (joined === '') return []
  if (joined === '\\') return ['']
  const values = ['']
  for (let index = 0; index < joined.length; index += 1) {
    const character = joined[index] ?? ''
    if (character === ',') values.push('')
    else if (character === '\\' && index + 1 < joined.length) {
      index += 1
      values[values.length - 1] += joined[index] ?? ''
    } else values[values.length - 1] += character
  }
  return values
}
