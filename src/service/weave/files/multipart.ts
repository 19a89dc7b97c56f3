/** One part of a multipart/form-data body. */
export type FormPart = { name: string; content: Buffer }

// RFC 2046 allows no more parts than fit; nothing here needs more than a few.
const mostParts = 32
const mostHeaderBytes = 16 * 1024

/**
 * The parts of a multipart/form-data body (RFC 7578), their bytes untouched. A string in answer says what is wrong. The parser
 * that Node brings refuses escaped quotes and `filename*`, which HTTP libraries for Python send.
 */
export function readFormParts(contentType: string, body: Buffer): FormPart[] | string {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  if (!boundary) return 'The Content-Type names no boundary: multipart/form-data; boundary=….'
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`, 'latin1')
  const parts: FormPart[] = []
  // What stands before the first delimiter is not part of the form; the first one may open the body.
  let at = body.indexOf(delimiter.subarray(2))
  if (at !== 0 && at >= 0) at = body.indexOf(delimiter)
  if (at < 0) return cutShort
  let from = at === 0 ? delimiter.length - 2 : at + delimiter.length
  while (body.toString('latin1', from, from + 2) !== '--') {
    if (parts.length === mostParts) return `The form has too many parts: at most ${mostParts}.`
    const start = body.indexOf('\r\n', from)
    const headersEnd = start < 0 ? -1 : body.indexOf('\r\n\r\n', start)
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, headersEnd + 2)
    if (end < 0) return cutShort
    if (headersEnd - start > mostHeaderBytes) return `The headers of a part are too long: at most ${mostHeaderBytes} bytes.`
    const part = partOf(body.toString('utf8', start, headersEnd), body.subarray(headersEnd + 4, Math.max(end, headersEnd + 4)))
    if (!part) return 'A part of the form has no Content-Disposition with a name.'
    parts.push(part)
    from = end + delimiter.length
  }
  return parts
}

const cutShort = 'The form is cut short, or its boundary is not the one the Content-Type names.'

const parameter = /;\s*([^=;"\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/gs

function partOf(headers: string, content: Buffer): FormPart | undefined {
  const disposition = /\r\ncontent-disposition:\s*form-data(;[^\r\n]*)/i.exec(headers)?.[1] ?? ''
  const values = new Map(
    Array.from(disposition.matchAll(parameter), ([, key = '', quoted, plain = '']) => [
      key.toLowerCase(),
      quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain,
    ]),
  )
  const name = values.get('name')
  return name === undefined ? undefined : { name, content }
}
