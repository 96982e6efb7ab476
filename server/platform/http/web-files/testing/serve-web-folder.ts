// For tests: serves the files of a web app from a temporary folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { createTestApp } from '../../../../testing/test-app.ts'
import { handleErrors } from '../../error-handler.ts'
import { serveWebFiles } from '../web-files.ts'

const owner = {
  brandName: 'Nacht',
  tagline: 'Music.',
  publicUrl: 'http://127.0.0.1',
  accent: null,
  icons: { tab: { href: '/icon.svg', type: 'image/svg+xml' }, touch: '/touch.png' },
}

/** `files`: contents by path. Call `close` in `afterAll`. */
export async function serveWebFolder(
  files: Record<string, string>,
): Promise<{ server: FastifyInstance; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'velour-web-files-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const app = await createTestApp()
  const server = Fastify()
  handleErrors(server)
  const readLanding = async () => null
  await serveWebFiles(server, { folder, owner: () => owner, db: app.services.db, readLanding })
  return {
    server,
    async close() {
      await server.close()
      await app.close()
      rmSync(folder, { recursive: true })
    },
  }
}
