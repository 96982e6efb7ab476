// Finds elements by role and accessible name. Runs the queries of Testing Library in the page.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import type { EnginePage } from './engine-page.ts'

const queries = createRequire(import.meta.url).resolve(
  '@testing-library/dom/dist/@testing-library/dom.umd.min.js',
)

interface Place {
  x: number
  y: number
  isEnabled: boolean
}

type QueriesWindow = Window & {
  TestingLibraryDom: {
    queryAllByRole: (
      container: Element,
      role: string,
      options: { name?: string | RegExp },
    ) => HTMLElement[]
    queryAllByLabelText: (container: Element, text: string) => HTMLElement[]
  }
}

interface Wanted {
  role: string
  /** The complete accessible name, or a pattern that it matches. */
  name: string | RegExp
}

/** Waits until the element exists, is enabled and has stopped moving, then clicks it. */
export async function click(page: EnginePage, role: string, name: string | RegExp): Promise<void> {
  let before: Place | null = null
  let place: Place | null = null
  await expect
    .poll(
      async () => {
        before = place
        place = await find(page, { role, name })
        return place?.isEnabled && place.x === before?.x && place.y === before?.y
      },
      { message: `${role} ${String(name)} to click in ${page.engine}`, timeout: 30_000 },
    )
    .toBe(true)
  await page.clickAt(place!.x, place!.y)
}

/**
 * Clicks the field with this label and replaces its text by typing. Fields are found by label, because a password field
 * has no role.
 */
export async function fill(page: EnginePage, label: string, text: string): Promise<void> {
  let field: Place | null = null
  await expect
    .poll(async () => (field = await findField(page, label)) !== null, {
      message: `field ${label} in ${page.engine}`,
      timeout: 30_000,
    })
    .toBe(true)
  await page.clickAt(field!.x, field!.y)
  await page.evaluate(() => (document.activeElement as HTMLInputElement).select())
  await page.type(text)
}

/** Waits until the element exists, and returns the center of the first one in the viewport. */
export async function waitFor(
  page: EnginePage,
  role: string,
  name: string | RegExp,
): Promise<Place> {
  let found: Place | null = null
  await expect
    .poll(async () => (found = await find(page, { role, name })) !== null, {
      message: `${role} ${String(name)} in ${page.engine}`,
      timeout: 30_000,
    })
    .toBe(true)
  return found!
}

export async function has(page: EnginePage, role: string, name: string | RegExp): Promise<boolean> {
  return (await find(page, { role, name })) !== null
}

async function find(page: EnginePage, { role, name }: Wanted): Promise<Place | null> {
  await loadQueries(page)
  const isPattern = name instanceof RegExp
  return page.evaluate(
    (ofRole, text, flags) => {
      const { queryAllByRole } = (window as unknown as QueriesWindow).TestingLibraryDom
      const named = flags === null ? text : new RegExp(text, flags)
      // Search only the open modal dialog: the rest of the page is inert, but the queries don't consider that.
      const top = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
      const isShown = (element: HTMLElement) => element.getClientRects().length > 0
      const element = queryAllByRole(top, ofRole, { name: named }).find(isShown)
      if (!element) return null
      element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      const { left, top: y, width, height } = element.getBoundingClientRect()
      const isEnabled = !element.matches(':disabled')
      return { x: left + width / 2, y: y + height / 2, isEnabled }
    },
    role,
    isPattern ? name.source : name,
    isPattern ? name.flags : null,
  )
}

async function findField(page: EnginePage, label: string): Promise<Place | null> {
  await loadQueries(page)
  return page.evaluate((text) => {
    const { queryAllByLabelText } = (window as unknown as QueriesWindow).TestingLibraryDom
    const top = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
    const field = queryAllByLabelText(top, text).find((one) => one.matches('input, textarea'))
    if (!field) return null
    field.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    const { left, top: y, width, height } = field.getBoundingClientRect()
    return { x: left + width / 2, y: y + height / 2, isEnabled: !field.matches(':disabled') }
  }, label)
}

async function loadQueries(page: EnginePage): Promise<void> {
  if (await page.evaluate(() => 'TestingLibraryDom' in window)) return
  const source = await readFile(queries, 'utf8')
  // Inject the library with the driver, because the content security policy blocks other scripts.
  await page.evaluate(Object.assign(() => {}, { toString: () => `() => { ${source} }` }))
}
