import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Context, MiddlewareHandler } from 'hono'
import { acceptsEncoding } from './compress'
import type { InlineHashes } from './security-headers'

type StaticFile = {
  mediaType: string
  etag: string
  variants: { encoding: string | undefined; bytes: Uint8Array<ArrayBuffer> }[]
}

/** The built dashboard. It is about a megabyte in memory, so that no path of a request ever reaches the disk. */
export type StaticFiles = {
  readonly files: ReadonlyMap<string, StaticFile>
  readonly inlineHashes: InlineHashes
}

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const bytesByName = new Map(
    await Promise.all(
      paths.map(
        async (path) => [`/${relative(folder, path).split(sep).join('/')}`, new Uint8Array(await readFile(path))] as const,
      ),
    ),
  )
  const files = new Map<string, StaticFile>()
  for (const [name, bytes] of bytesByName) {
    const mediaType = mediaTypes[extname(name)]
    if (mediaType === undefined) continue
    const compressed = encodings.flatMap(([encoding, suffix]) => {
      const variant = bytesByName.get(`${name}${suffix}`)
      return variant ? [{ encoding, bytes: variant }] : []
    })
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    files.set(name, { mediaType, etag, variants: [...compressed, { encoding: undefined, bytes }] })
  }
  const page = bytesByName.get('/index.html')
  return { files, inlineHashes: hashInlineElements(page ? new TextDecoder().decode(page) : '') }
}

/** Serves the file at the request's path, or index.html where a browser opens a page of the dashboard. */
export function serveStaticFiles(staticFiles: StaticFiles): MiddlewareHandler {
  return async (c, next) => findResponse(c, staticFiles) ?? (await next())
}

function findResponse(c: Context, { files }: StaticFiles): Response | undefined {
  const isPage = c.req.path === '/' || (!isFileName(c.req.path) && acceptsHtml(c.req.header('accept')))
  const name = isPage ? '/index.html' : c.req.path
  const file = files.get(name)
  if (!file) return undefined
  const accepted = c.req.header('accept-encoding')
  const variant = file.variants.find(({ encoding }) => encoding === undefined || acceptsEncoding(accepted, encoding))
  const headers = {
    etag: file.etag,
    vary: 'accept-encoding',
    // File names in /assets contain a digest of the content.
    'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  if (!variant) return undefined
  if (c.req.header('if-none-match') === file.etag) return c.body(null, 304, headers)
  const encoding: Record<string, string> = variant.encoding ? { 'content-encoding': variant.encoding } : {}
  return c.body(variant.bytes, 200, { ...headers, ...encoding, 'content-type': file.mediaType })
}

/** Files are at the top or in /assets. Below a page an id may end as a file does: /threads/kim@acme.org. */
function isFileName(path: string): boolean {
  return /^\/(?:assets\/|[^/]*\.[a-z0-9]{2,11}$)/.test(path)
}

function acceptsHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}

function hashInlineElements(page: string): InlineHashes {
  const sources = (element: string) =>
    [...page.matchAll(new RegExp(`<${element}(?![^>]*\\ssrc=)[^>]*>([\\s\\S]*?)</${element}>`, 'g'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    )
  return { scripts: sources('script'), styles: sources('style') }
}
