// Time until Browse shows its first tracks over an emulated mobile network, with the app behind a proxy with HTTP/2 and
// behind one with HTTP/1.1.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import type { BenchWorld } from './world/bench-world.ts'
import { round, summarize, measureMs } from '../harness/measure.ts'
import { startSite } from './peers/nginx.ts'
import { mobileLine, openContext, emulateMobileNetwork } from './clients/open-browser.ts'
import { type Finding, createUnmeasuredFinding } from './report.ts'

const rounds = 7
const name = 'Browse for the first time, up to its tracks, through HTTP/2'

export async function compareProtocols(browser: Browser, world: BenchWorld): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-protocols-'))
  await chmod(folder, 0o711)
  try {
    const certificate = await makeCertificate(folder)
    if (!certificate) return [createUnmeasuredFinding(name, 'openssl is not installed')]
    const site = (protocol: string) => (port: number) =>
      `listen 127.0.0.1:${port} ssl ${protocol}; ${certificate}
       location / { proxy_pass ${world.url}; proxy_http_version 1.1; proxy_set_header Connection ''; }`
    const http2 = await startSite(site('http2'))
    const http1 = http2 && (await startSite(site('')))
    if (!http2 || !http1) return [createUnmeasuredFinding(name, 'nginx is not installed')]
    const [ours, peer]: [number[], number[]] = [[], []]
    try {
      for (let i = 0; i < (world.dataSet === 'smoke' ? 1 : rounds); i++) {
        for (const [{ port }, times] of [
          [http2, ours],
          [http1, peer],
        ] as const) {
          times.push(await openBrowse(browser, `https://127.0.0.1:${port}`, world.member))
        }
      }
    } finally {
      await http1.stop()
      await http2.stop()
    }
    const [with_, without] = [summarize(ours), summarize(peer)]
    const ratio = round(with_.median_ms / without.median_ms)
    return [
      {
        name,
        ours: with_,
        peer: without,
        peer_is: `HTTP/1.1, both ${mobileLine.latency} ms away`,
        goal: '≤ 1 ×',
        value: `${ratio} ×`,
        ok: ratio <= 1,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Opens Browse with an empty cache. Returns the milliseconds until it shows the first track. */
async function openBrowse(browser: Browser, url: string, cookie: string): Promise<number> {
  const context = await openContext(browser, url, cookie)
  try {
    const page = await context.newPage()
    await emulateMobileNetwork(page)
    return await measureMs(async () => {
      await page.goto(`${url}/browse`)
      await page.locator('[data-control="play"]').first().waitFor()
    })
  } finally {
    await context.close()
  }
}

/**
 * Returns nginx directives for a certificate, or null without openssl. Needed because browsers use HTTP/2 only with
 * TLS.
 */
async function makeCertificate(folder: string): Promise<string | null> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const args = 'req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2 -subj'
  try {
    await promisify(execFile)('openssl', [
      ...args.split(' '),
      '/CN=127.0.0.1',
      '-keyout',
      key,
      '-out',
      certificate,
    ])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return `ssl_certificate ${certificate}; ssl_certificate_key ${key};`
}
