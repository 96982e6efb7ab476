// Tests the upload of many files through several instances to an object store. Despite a lost network, a reload and a
// killed instance, every part is sent once and every file arrives unchanged.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Cluster, clusterAdmin, startCluster } from '../cluster/cluster.ts'
import { createApiClient } from '../../e2e/harness/api-client.ts'
import { launchBrowser, openPage } from '../../e2e/harness/browser.ts'
import { dropFiles } from '../../e2e/harness/drop-files.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { waitUntil } from '../../e2e/harness/service.ts'

const partBytes = 8 * 1024 ** 2
const fileBytes = [3.3 * partBytes, 2.5 * partBytes, 0.2 * partBytes]
const partCount = fileBytes.reduce((sum, bytes) => sum + Math.ceil(bytes / partBytes), 0)
const bytesPerSecond = 4_000_000
const timeoutMs = 120_000

let browser: Browser
let folder: string
let hashes: string[]

beforeAll(async () => {
  browser = await launchBrowser()
  folder = await mkdtemp(join(tmpdir(), 'velour-store-drop-'))
  await mkdir(join(folder, 'album'))
  hashes = []
  for (const [index, bytes] of fileBytes.entries()) {
    const wav = makeWav(bytes / 44_100, 200 + index)
    hashes.push(createHash('sha256').update(wav).digest('hex'))
    await writeFile(join(folder, 'album', `${index} - Ada - Song ${index}.wav`), wav)
  }
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true })
})

describe.each([
  ['stand-in', 'direct'],
  ['stand-in', 'proxy'],
  ['swift', 'direct'],
  ['swift', 'proxy'],
] as const)('%s, %s', (store, upload) => {
  let cluster: Cluster

  beforeEach(async () => {
    cluster = await startCluster({
      instances: 2,
      workers: 0,
      standby: false,
      store,
      settings: (given) => ({ ...given, S3_UPLOAD: upload }),
    })
  }, 240_000)
  afterEach(() => cluster?.stop(), 120_000)

  test('every file arrives, and each part is sent once', { timeout: 2 * timeoutMs }, async () => {
    const { page, problems } = await openLibrary(cluster.address)
    const sent = watchParts(page)
    const line = await slowLine(page)
    await dropFiles(page, [join(folder, 'album')])
    await page.getByRole('heading', { name: 'Bulk upload' }).waitFor()
    const wait = (isSo: () => boolean, what: string) => waitUntil(isSo, timeoutMs, what)
    await wait(() => sent.length >= 2, 'the first parts')

    await line.cut()
    await page.getByText('Waiting for the network').first().waitFor()
    await line.mend()
    await wait(() => sent.length >= 4, 'parts after the cut')

    await page.reload()
    await page.getByText(`of ${fileBytes.length} files uploaded`).waitFor()
    await line.mend()
    await cluster.instances[0]!.kill()
    await page.getByText(`${fileBytes.length} of ${fileBytes.length} files uploaded`).waitFor({
      timeout: timeoutMs,
    })

    const own = upload === 'proxy' ? cluster.address : cluster.store.options.endpoint
    expect(new Set(sent.map(({ origin }) => origin))).toEqual(new Set([own]))
    const places = sent.map(({ place }) => place)
    expect(places.length).toBe(new Set(places).size)
    expect(places.length).toBeLessThanOrEqual(partCount)
    const owner = createApiClient(cluster.address)
    await owner.signIn(clusterAdmin)
    const { body } = await owner.send('POST', '/api/admin-tracks/by-hash', { sha256: hashes })
    expect(body['data']).toHaveLength(fileBytes.length)
    expect(await cluster.store.countUnfinished()).toBe(0)
    for (const name of ['web-1', 'web-2']) {
      expect(await readdir(join(cluster.folder, name, 'storage')).catch(() => [])).toEqual([])
    }
    expect(
      problems.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text)),
    ).toEqual([])
    await page.context().close()
  })
})

async function openLibrary(address: string) {
  const opened = await openPage(browser)
  await opened.page
    .context()
    .request.post(`${address}/api/auth/sign-in/email`, { data: clusterAdmin })
  await opened.page.goto(`${address}/admin/library`)
  await opened.page.getByRole('heading', { name: 'Track Library' }).waitFor()
  return opened
}

/** Records every acknowledged part (upload and number), and the origin that received it. */
function watchParts(page: Page): { place: string; origin: string }[] {
  const sent: { place: string; origin: string }[] = []
  page.on('response', (response) => {
    const url = new URL(response.url())
    if (response.request().method() !== 'PUT' || !response.ok()) return
    const inStore = `${url.searchParams.get('uploadId')} ${url.searchParams.get('partNumber')}`
    const place = url.searchParams.has('uploadId') ? inStore : url.pathname
    sent.push({ place, origin: url.origin })
  })
  return sent
}

/** Slows down the network of the page, so that there is time to act during an upload. Can also cut it. */
async function slowLine(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const set = (offline: boolean) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    })
  await set(false)
  return { cut: () => set(true), mend: () => set(false) }
}
