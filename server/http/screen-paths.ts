// Tells the addresses of the web app from those that lead nowhere, as the router of the app does: upper and lower
// case are the same, and a slash at the end changes nothing.
import { screenPaths } from '#contract/screens.ts'

const screens = screenPaths.map(segmentsOf)

/** `path`: as it stands in the request, without the query. */
export function isScreenPath(path: string): boolean {
  const segments = segmentsOf(path)
  return screens.some(
    (screen) =>
      screen.length === segments.length &&
      screen.every((part, at) => part.startsWith(':') || part === segments[at]?.toLowerCase()),
  )
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}
