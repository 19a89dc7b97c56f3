/** One part of a multipart/form-data body. */
export type FormPart = { name: string; content: Buffer }

// Clients send two parts. RFC 2046 sets no limits of its own.
const maxParts = 32
const maxHeaderBytes = 16 * 1024

/**
 * Parses a multipart/form-data body (RFC 7578). The content of each part is unchanged. Returns a string where the body is
 * invalid: what is wrong with it. Node's own parser rejects escaped quotes and `filename*`, which Python's HTTP libraries
 * send.
 */
export function parseMultipart(contentType: string, body: Buffer): FormPart[] | string {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  if (!boundary) return 'The Content-Type has no boundary: multipart/form-data; boundary=….'
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`, 'latin1')
  const parts: FormPart[] = []
  // Text before the first delimiter is not part of the form. The first delimiter may begin the body, without its \r\n.
  let first = body.indexOf(delimiter.subarray(2))
  if (first > 0) first = body.indexOf(delimiter)
  if (first < 0) return incomplete
  let position = first === 0 ? delimiter.length - 2 : first + delimiter.length
  while (body.toString('latin1', position, position + 2) !== '--') {
    if (parts.length === maxParts) return `The form has too many parts: at most ${maxParts}.`
    const start = body.indexOf('\r\n', position)
    const headersEnd = start < 0 ? -1 : body.indexOf('\r\n\r\n', start)
    const end = headersEnd < 0 ? -1 : body.indexOf(delimiter, headersEnd + 2)
    if (end < 0) return incomplete
    if (headersEnd - start > maxHeaderBytes) return `The headers of a part are too long: at most ${maxHeaderBytes} bytes.`
    const name = parseName(body.toString('utf8', start, headersEnd))
    if (name === undefined) return 'A part of the form has no Content-Disposition with a name.'
    parts.push({ name, content: body.subarray(headersEnd + 4, Math.max(end, headersEnd + 4)) })
    position = end + delimiter.length
  }
  return parts
}

const incomplete = 'The form is incomplete, or its boundary differs from that of the Content-Type.'

const parameter = /;\s*([^=;"\s]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/gs

/** The name of a part by its Content-Disposition; undefined where it has none. */
function parseName(headers: string): string | undefined {
  const disposition = /\r\ncontent-disposition:\s*form-data(;[^\r\n]*)/i.exec(headers)?.[1] ?? ''
  const values = new Map(
    Array.from(disposition.matchAll(parameter), ([, key = '', quoted, plain = '']) => [
      key.toLowerCase(),
      quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain,
    ]),
  )
  return values.get('name')
}
