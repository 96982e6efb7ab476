// What the server drew the landing page from. It lies in the page as JSON, which is no script, so that whatever
// takes over starts from the same facts.
import type { Site } from '#contract/site.ts'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'

export interface LandingData {
  site: Site
  /** True: who asked came without a session. False: the browser has to find out whose it is. */
  is_visitor: boolean
  showcase: ShowcaseTrack[]
}

export const landingDataId = 'landing-data'

/** Null on a page that nobody drew. */
export function readLandingData(): LandingData | null {
  const text = document.getElementById(landingDataId)?.textContent
  return text ? (JSON.parse(text) as LandingData) : null
}
