// Checks the compressed size of the scripts that the built pages refer to. The benchmarks measure everything that a
// browser loads.
import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'

const built = new URL('../dist/', import.meta.url)

/**
 * Returns the scripts of a page. A visitor's page also names the files of the app, which it loads later, in `data-app`.
 */
async function readScripts(page: string): Promise<{ names: string[]; bytes: number }> {
  const html = await readFile(new URL(page, built), 'utf8')
  const names = [...new Set(html.match(/assets\/[\w.-]+\.js/g))]
  const files = await Promise.all(names.map((name) => stat(new URL(`${name}.br`, built))))
  return { names, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

test.each([
  ['the landing page', '.landing/visitor.html', 130_000],
  ['Browse', '.screens/browse.html', 168_000],
])('%s links few scripts, and none with schemas or the back office', async (_, page, maxBytes) => {
  const { names, bytes } = await readScripts(page)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(maxBytes)
  expect(names.filter((name) => /\/(?:schemas|admin|player|icons)-/.test(name))).toEqual([])
})

test('requests the session and the scripts of Browse at the same time', async () => {
  const html = await readFile(new URL('.screens/browse.html', built), 'utf8')
  expect(html).toContain('<link rel="preload" as="fetch" crossorigin href="/api/profile">')
})
