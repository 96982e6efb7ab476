// Serves the built web app. Browsers cache hashed files forever and revalidate the page. The build is small and does
// not change while the server runs, so it is read once and served from memory.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Database } from '../../db/database.ts'
import { perObject } from '../../process/per-object.ts'
import { describePage, type PageOwner } from './page-head.ts'
import { isScreenPath } from './screen-paths.ts'
import { storeWebAssets } from './web-assets.ts'
import { computeEtag, sendWebFile, type WebFile } from './web-file.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}

/**
 * Reads the build in `folder` and serves it on every path outside the API. Unknown paths get the page with status
 * 404. `readLanding` returns the landing page for a request, or null if the browser has to render it. Resolves when
 * every other instance can serve the files of this build as well.
 */
export async function serveWebFiles(
  app: FastifyInstance,
  options: {
    folder: string
    owner: () => PageOwner
    db: Database
    readLanding: (request: FastifyRequest) => Promise<WebFile | null>
  },
): Promise<void> {
  const { folder, owner, db, readLanding } = options
  const files = await readWebFiles(folder)
  const built = files.get('/index.html')
  if (!built) throw new Error(`There is no web app in ${folder}. Run "npm run build" first.`)
  const browse = (await readBrowsePage(folder, built)) ?? built
  const pagesOf = perObject((current: PageOwner) => ({
    '/browse': describedPage(browse, current, null),
    '/index.html': describedPage(built, current, null),
    '/auth': describedPage(built, current, '/auth'),
    '/': describedPage(built, current, '/'),
  }))
  const pages = () => pagesOf(owner())
  const assets = await storeWebAssets(db, files, (path, bytes) => {
    const type = types[extname(path)]
    return type ? hashedFile(type, bytes, { brotli: null, gzip: gzipSync(bytes) }) : null
  })
  app.addHook('onClose', async () => assets.stop())
  const serveFile = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = decodePath(request.url)
    const file = isPage(path) ? pages()[path] : files.get(path)
    if (file) return sendWebFile(request, reply, file)
    // Only paths below /assets/ can be files of other builds. For other unknown paths the page itself shows that
    // nothing was found.
    if (extname(path) === '' || !path.startsWith('/assets/')) {
      if (!isScreenPath(request.url.split('?')[0] ?? '/')) reply.code(404)
      return sendWebFile(request, reply, pages()['/index.html'])
    }
    const other = await assets.find(path)
    return other ? sendWebFile(request, reply, other) : reply.callNotFound()
  }
  app.get('/', async (request, reply) =>
    sendWebFile(request, reply, (await readLanding(request)) ?? pages()['/']),
  )
  app.get('/*', (request, reply) =>
    isUnknownPath(request.url) ? reply.callNotFound() : serveFile(request, reply),
  )
}

function isPage(path: string): path is '/auth' | '/browse' | '/index.html' {
  return path === '/auth' || path === '/browse' || path === '/index.html'
}

/** Returns the page that also links the files of Browse, or null if the folder has none. */
async function readBrowsePage(folder: string, built: WebFile): Promise<WebFile | null> {
  const path = join(folder, '.screens', 'browse.html')
  return existsSync(path) ? { ...built, bytes: await readFile(path) } : null
}

/** Includes /offline/, because its paths exist only in the browser's offline storage. */
function isUnknownPath(url: string): boolean {
  return /^\/(?:api|media|offline)(?:\/|$|\?)/.test(url)
}

function describedPage(built: WebFile, owner: PageOwner, path: '/' | '/auth' | null): WebFile {
  const bytes = Buffer.from(describePage(built.bytes.toString(), owner, path))
  const compressed = { brotli: brotliCompressSync(bytes), gzip: gzipSync(bytes) }
  return { ...built, bytes, ...compressed, etag: computeEtag(bytes) }
}

async function readWebFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const known = new Set(paths)
  const files = new Map<string, WebFile>()
  for (const path of paths) {
    const extension = extname(path)
    const type = types[extension]
    if (!type) continue
    const url = `/${relative(folder, path).split(sep).join('/')}`
    // Files in folders that start with a dot are for server-side rendering and are not served.
    if (url.startsWith('/.')) continue
    const bytes = await readFile(path)
    const compressed = {
      brotli: known.has(`${path}.br`) ? await readFile(`${path}.br`) : null,
      gzip: known.has(`${path}.gz`) ? await readFile(`${path}.gz`) : null,
    }
    const file = hashedFile(type, bytes, compressed)
    files.set(url, url.startsWith('/assets/') ? file : { ...file, cacheControl: 'no-cache' })
  }
  return files
}

function hashedFile(
  type: string,
  bytes: Buffer,
  compressed: Pick<WebFile, 'brotli' | 'gzip'>,
): WebFile {
  const cacheControl = 'public, max-age=31536000, immutable'
  return {
    type,
    bytes,
    ...compressed,
    etag: computeEtag(bytes),
    cacheControl,
    vary: 'accept-encoding',
  }
}

function decodePath(url: string): string {
  const path = url.split('?')[0] ?? '/'
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}
