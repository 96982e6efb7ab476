// The browser engines other than Chromium that the tests use: WebKit, which Safari is based on, and Gecko of Firefox.
import { latinOfDisplayFace } from '../lived-in/find-wrong-faces.ts'
import type { EnginePage } from './engine-page.ts'
import { launchFirefox } from './firefox.ts'
import { launchWebkit } from './webkit.ts'

export const engines = [
  { engine: 'Firefox', launch: launchFirefox },
  { engine: 'WebKit', launch: launchWebkit },
] as const

/** Signs in with a request from the page, so that the page has the session cookie. Ends an earlier session. */
export async function signIn(
  page: EnginePage,
  url: string,
  who: { email: string; password: string },
): Promise<void> {
  await signOut(page, url)
  const status = await page.evaluate(
    async (email, password) => {
      const response = await fetch('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
      return response.status
    },
    who.email,
    who.password,
  )
  if (status !== 200) throw new Error(`Sign-in returned ${status}`)
}

export async function signOut(page: EnginePage, url: string): Promise<void> {
  await page.goto(`${url}/auth`)
  await page.evaluate(async () => {
    await fetch('/api/auth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  })
}

/**
 * Returns visible headings that are not drawn in the font of headings. Compares widths, because only Chromium tells
 * which font it used. Skips headings in other scripts, which use other fonts.
 */
export function findHeadingsInOtherFaces(page: EnginePage): Promise<string[]> {
  return page.evaluate(async (onlyLatin) => {
    await document.fonts.ready
    const isLatin = new RegExp(onlyLatin, 'u')
    const widthIn = (heading: Element, family: string) => {
      const copy = document.createElement('span')
      // Append narrow letters. Only a monospace font draws them as wide as other letters, so its width differs.
      copy.textContent = `${heading.textContent}iiii`
      const { fontSize, fontWeight, letterSpacing, fontVariationSettings } =
        getComputedStyle(heading)
      Object.assign(copy.style, {
        position: 'absolute',
        whiteSpace: 'nowrap',
        visibility: 'hidden',
        fontSize,
        fontWeight,
        letterSpacing,
        fontVariationSettings,
        fontFamily: family,
      })
      document.body.append(copy)
      const { width } = copy.getBoundingClientRect()
      copy.remove()
      return width
    }
    return [...document.querySelectorAll('h1, h2')]
      .filter((heading) => heading.getClientRects().length > 0 && heading.textContent)
      .filter((heading) => isLatin.test(heading.textContent!))
      .filter((heading) => {
        const drawn = widthIn(heading, getComputedStyle(heading).fontFamily)
        const wanted = widthIn(heading, "'Fraunces Variable', monospace")
        const monospace = widthIn(heading, 'monospace')
        return Math.abs(drawn - wanted) > 0.5 || Math.abs(wanted - monospace) < 0.5
      })
      .map((heading) => heading.textContent ?? '')
  }, latinOfDisplayFace.source)
}

/** State of the player as the page shows it. */
export interface PlayerState {
  source: string
  seconds: number
  isPlaying: boolean
  /** True while the loading ring is shown. */
  isWaiting: boolean
  /** How often a media element has dropped its file since `watchReloads` was called. */
  reloads: number
}

type WatchedWindow = Window & { reloadCount?: number }

export async function watchReloads(page: EnginePage): Promise<void> {
  await page.evaluate(() => {
    const watched = window as WatchedWindow
    watched.reloadCount = 0
    addEventListener('emptied', () => (watched.reloadCount = (watched.reloadCount ?? 0) + 1), true)
  })
}

export function readPlayerState(page: EnginePage): Promise<PlayerState> {
  return page.evaluate(() => {
    const audio = document.querySelector<HTMLAudioElement>('audio[data-active]')
    return {
      source: audio?.currentSrc ?? '',
      seconds: audio?.currentTime ?? 0,
      isPlaying: audio !== null && !audio.paused,
      isWaiting: document.querySelector('[data-waiting]') !== null,
      reloads: (window as WatchedWindow).reloadCount ?? 0,
    }
  })
}
