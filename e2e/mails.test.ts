// Shows every email in a browser, at the widths of a phone and of a desktop mail program, in both themes. Nothing may
// be cut off, and all text must have enough contrast.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderMailHtml } from '../server/platform/mail/mail-layout.ts'
import { sampleMails } from '../server/platform/mail/testing/sample-mails.ts'
import { launchBrowser, openPage } from './harness/browser.ts'

const looks = [
  { brandName: 'Velour', accent: '#a8244f', picture: null },
  {
    brandName: 'A name that is as long as the name of a service may ever be',
    accent: '#0b57d0',
    darkAccent: '#8ab4f8',
    picture: null,
  },
]

let browser: Browser
let axe: string
beforeAll(async () => {
  browser = await launchBrowser()
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
})
afterAll(() => browser.close())

const cover = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>'

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

test.each(
  [320, 640].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
  ),
)('fits into $width px with enough contrast, $colorScheme', async ({ width, colorScheme }) => {
  const { page, problems } = await openPage(browser, { width, colorScheme })
  // Serve the covers that the sample emails refer to.
  await page.route('https://music.example/media/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: cover }),
  )
  const grounds = new Set<string>()
  const faults: string[] = []
  for (const [name, mails] of Object.entries(sampleMails)) {
    for (const mail of mails) {
      for (const look of looks) {
        await page.setContent(renderMailHtml(mail, look))
        const { scrollWidth, ground } = await page.evaluate(() => ({
          scrollWidth: document.documentElement.scrollWidth,
          ground: getComputedStyle(document.body).backgroundColor,
        }))
        grounds.add(ground)
        if (scrollWidth > width) faults.push(`${name}: ${scrollWidth} px wide`)
        await page.evaluate(axe)
        const violations = await page.evaluate(async () => {
          const { axe: checker } = globalThis as unknown as {
            axe: { run: (options: object) => Promise<{ violations: Violation[] }> }
          }
          const rules = ['color-contrast', 'document-title', 'html-has-lang', 'link-name']
          return (await checker.run({ runOnly: rules })).violations
        })
        for (const { id, nodes } of violations) {
          faults.push(`${name}: ${id}: ${nodes.map(({ failureSummary }) => failureSummary).join()}`)
        }
      }
    }
  }
  expect(faults).toEqual([])
  expect(problems).toEqual([])
  expect([...grounds]).toEqual([colorScheme === 'dark' ? 'rgb(22, 15, 20)' : 'rgb(247, 241, 238)'])
  await page.context().close()
})
