// Distinguishes the web app's paths from unknown ones, with the same rules as the app's router: case and a trailing
// slash are ignored.
import { screenPaths } from '#contract/screens.ts'

const screens = screenPaths.map(splitSegments)

/** `path` is the path of the request without its query. */
export function isScreenPath(path: string): boolean {
  const segments = splitSegments(path)
  return screens.some(
    (screen) =>
      screen.length === segments.length &&
      screen.every((part, at) => part.startsWith(':') || part === segments[at]?.toLowerCase()),
  )
}

function splitSegments(path: string): string[] {
  return path.split('/').filter(Boolean)
}
