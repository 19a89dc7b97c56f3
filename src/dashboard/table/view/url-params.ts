/**
 * One key of a view's address. `read` answers undefined for text that is no value of it: the key is then dropped and the
 * rest of the address still counts.
 */
export type UrlParam<Value> = {
  fallback: Value
  read: (stringParam: string) => Value | undefined
  write: (value: Value) => string
  /** Whether a change leaves the person on the page they are on. */
  keepsPage?: boolean
}

// oxlint-disable-next-line typescript/no-explicit-any -- a record of params of different values has no narrower type
export type UrlParams = Record<string, UrlParam<any>>
export type ParamValues<P extends UrlParams> = { [Key in keyof P]: P[Key]['fallback'] }

export function enumParam<const Value extends string>(values: readonly Value[], fallback: Value): UrlParam<Value> {
  return { fallback, read: (written) => values.find((value) => value === written), write: (value) => value }
}

export function integerParam(fallback: number, isAccepted: (value: number) => boolean): UrlParam<number> {
  return {
    fallback,
    read: (written) => (/^\d{1,9}$/.test(written) && isAccepted(Number(written)) ? Number(written) : undefined),
    write: String,
  }
}

/** Free text; '' is its absence. */
export function text(longest = 1000): UrlParam<string> {
  return { fallback: '', read: (value) => (value.length <= longest ? value : undefined), write: (value) => value }
}

/** Text that `isAccepted`, such as a date; '' is its absence. */
export function validStringParam(isAccepted: (value: string) => boolean): UrlParam<string> {
  return { fallback: '', read: (value) => (isAccepted(value) ? value : undefined), write: (value) => value }
}

/** Several texts, each of which may hold commas. */
export function stringListParam(most = 1000): UrlParam<readonly string[]> {
  return {
    fallback: [],
    read: (joined) => {
      const values = parseList(joined)
      return values && values.length <= most ? values : undefined
    },
    write: formatList,
  }
}

export type SortKey = { id: string; direction: 'asc' | 'desc' }

/** `-effective_date,llm_id`: the first counts most, `-` is descending. Unknown or repeated fields are dropped, the others stay. */
export function sortParam(ids: readonly string[], fallback: readonly SortKey[]): UrlParam<readonly SortKey[]> {
  return {
    fallback,
    read: (joined) => {
      const keys = (joined === '' ? [] : joined.split(',')).map((part): SortKey =>
        part.startsWith('-') ? { id: part.slice(1), direction: 'desc' } : { id: part, direction: 'asc' },
      )
      const known = keys.filter((key, index) => ids.includes(key.id) && keys.findIndex(({ id }) => id === key.id) === index)
      return keys.length > 0 && known.length === 0 ? undefined : known
    },
    write: (keys) => keys.map(({ id, direction }) => (direction === 'desc' ? `-${id}` : id)).join(','),
  }
}

export const pageSizes = [25, 50, 100, 200] as const

/** What every table keeps in its address. `hidden` undefined: as this device has it. */
export function tableParams(columnIds: readonly string[], sort: readonly SortKey[]) {
  const hidden: UrlParam<readonly string[] | undefined> = {
    fallback: undefined,
    read: (joined) => parseList(joined)?.filter((id) => columnIds.includes(id)),
    write: (ids) => (ids === undefined ? '*' : formatList(ids)),
    keepsPage: true,
  }
  return {
    sort: sortParam(columnIds, sort),
    page: { ...integerParam(1, (page) => page >= 1 && page <= 1_000_000), keepsPage: true },
    size: integerParam(50, (size) => pageSizes.some((known) => known === size)),
    row: { ...text(), keepsPage: true },
    hidden,
  }
}

export type TableView = ParamValues<ReturnType<typeof tableParams>>

/** The view an address asks for: what it leaves out or gets wrong is as by default. */
export function parseView<P extends UrlParams>(params: P, search: string): ParamValues<P> {
  const given = new URLSearchParams(search)
  const values = Object.entries(params).map(([name, param]) => {
    const written = given.get(name)
    const value: unknown = written === null ? undefined : param.read(written)
    return [name, value ?? param.fallback]
  })
  return Object.fromEntries(values) as ParamValues<P> // entries lose the tie between name and type
}

/** The search part of the address after a change; defaults are left out, keys of others stay. */
export function updateSearch<P extends UrlParams>(params: P, search: string, change: Partial<ParamValues<P>>): string {
  const given = new URLSearchParams(search)
  const leavesPage = Object.keys(change).some((name) => !params[name]?.keepsPage)
  const whole = { ...parseView(params, search), ...(leavesPage && 'page' in params && { page: 1 }), ...change }
  for (const [name, param] of Object.entries(params)) {
    const written = param.write(whole[name])
    if (written === param.write(param.fallback)) given.delete(name)
    else given.set(name, written)
  }
  // Commas, colons and slashes are allowed in a query and far easier to read unescaped.
  return given.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/')
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
