// Names of the cookies of sign-in. On https they begin with `__Host-` (RFC 6265bis, section 4.1.3.2): a browser accepts
// such a cookie only from this host, so a page on a sibling host cannot plant one. Version 0.1 used `__Secure-`.
// Sessions from then stay valid, and during an upgrade instances of both versions serve the same browser. Therefore
// both names are read and written for now; see docs/decisions/0061-host-cookies.md.

const cookiePrefix = 'velour'
const formerPrefix = `__Secure-${cookiePrefix}`

/** The part of the name before the dot. */
export function getCookiePrefix(secure: boolean): string {
  return secure ? `__Host-${cookiePrefix}` : cookiePrefix
}

/** The names under which the cookie may arrive, in order of preference. */
export function listCookieNames(name: string, secure: boolean): string[] {
  const prefixes = secure ? [getCookiePrefix(true), formerPrefix] : [cookiePrefix]
  return prefixes.map((prefix) => `${prefix}.${name}`)
}

/** The value of the first of these cookies that the Cookie header has, still encoded; null when it has none. */
export function findCookie(header: string, names: readonly string[]): string | null {
  const pairs = header.split(';').map((pair) => pair.trim())
  for (const name of names) {
    const found = pairs.find((pair) => pair.startsWith(`${name}=`))
    if (found !== undefined) return found.slice(name.length + 1)
  }
  return null
}

/** The Cookie header without former names: each is renamed, or dropped if the new name is also present. */
export function renameFormerCookies(header: string): string {
  const pairs = header.split(';').map((pair) => pair.trim())
  const names = new Set(pairs.map((pair) => pair.split('=', 1)[0]))
  return pairs
    .flatMap((pair) => {
      if (!pair.startsWith(`${formerPrefix}.`)) return [pair]
      const renamed = getCookiePrefix(true) + pair.slice(formerPrefix.length)
      return names.has(renamed.split('=', 1)[0]) ? [] : [renamed]
    })
    .join('; ')
}

/** These Set-Cookie headers, each followed by its copy under the former name. */
export function withFormerNames(setCookies: readonly string[]): string[] {
  const prefix = getCookiePrefix(true)
  return setCookies.flatMap((text) =>
    text.startsWith(`${prefix}.`) ? [text, formerPrefix + text.slice(prefix.length)] : [text],
  )
}
