// The page to return to after signing in. It must be a path of this site, because anyone can craft a sign-in URL. Web
// and server both validate it here.

export const signInPath = '/auth'
/**
 * Query parameter of the sign-in screen that contains the page to return to. Also used in email links to that screen.
 */
export const returnParam = 'next'
export const returnPathMaxLength = 2000

const base = 'http://site.invalid'
/** Browsers drop some control characters from URLs and treat a backslash as a slash. */
const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]/

/** Returns the normalized path with query and hash, or null if it is not a page of this site. */
export function readReturnPath(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > returnPathMaxLength) return null
  if (!value.startsWith('/') || value.startsWith('//') || forbidden.test(value)) return null
  try {
    const { origin, pathname, search, hash } = new URL(value, base)
    return origin === base && isPage(pathname) ? `${pathname}${search}${hash}` : null
  } catch {
    return null
  }
}

/**
 * The URL of the sign-in screen, which returns to this path after signing in. If the path is null or invalid, it
 * returns to the home page.
 */
export function buildSignInPath(returnPath: string | null): string {
  const path = readReturnPath(returnPath)
  if (path === null || path === '/') return signInPath
  return `${signInPath}?${new URLSearchParams({ [returnParam]: path })}`
}

/**
 * Whether a path is a page to return to. Excludes the API, and the sign-in screen, which would cause a loop. Throws
 * if the path cannot be decoded.
 */
function isPage(pathname: string): boolean {
  // Encoded /, \ and % are refused. No page uses them, and they could hide another host or the sign-in screen.
  if (/%(?:2f|5c|25)/i.test(pathname)) return false
  const decoded = decodeURIComponent(pathname)
  return (
    !decoded.startsWith('//') &&
    !forbidden.test(decoded) &&
    !/^\/(?:auth|api)(?:\/|$)/i.test(decoded)
  )
}
