/** All rows of a list, page after page, until one is short. `read` asks for the page; stopping ends after the page under way. */
export async function* allPages<Row>(
  pageSize: number,
  signal: AbortSignal,
  read: (page: { limit: number; offset: number }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; !signal.aborted; offset += pageSize) {
    const rows = await read({ limit: pageSize, offset })
    yield rows
    if (rows.length < pageSize) return
  }
}
