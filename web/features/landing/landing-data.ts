// The data from which the server rendered the landing page. It is embedded as a JSON data block, which is not executed,
// so that hydration starts from the same data.
import type { Site } from '#contract/site.ts'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'

export interface LandingData {
  site: Site
  /** True when the request had no session. False when the browser has to fetch the session. */
  is_visitor: boolean
  showcase: ShowcaseTrack[]
}

export const landingDataId = 'landing-data'

/** Reads the data from the page. Null if the server did not render the page. */
export function readLandingData(): LandingData | null {
  const text = document.getElementById(landingDataId)?.textContent
  return text ? (JSON.parse(text) as LandingData) : null
}
