// Names of the cookies of sign-in. With https they begin with `__Host-` (RFC 6265bis, section 4.1.3.2): a browser
// accepts such a cookie only from this host, so that a page on a sibling host cannot set it. Version 0.1 used
// `__Secure-`. Its sessions stay valid, and during an upgrade a browser may be served by instances of both versions.
// So both names are read and written for now, see docs/decisions/0061-host-cookies.md.

const cookiePrefix = 'velour'
const formerPrefix = `__Secure-${cookiePrefix}`

/** Returns the part of a cookie's name before the dot. */
export function getCookiePrefix(secure: boolean): string {
  return secure ? `__Host-${cookiePrefix}` : cookiePrefix
}

/** Returns the names that a cookie can have in a request, in order of preference. */
export function listCookieNames(name: string, secure: boolean): string[] {
  const prefixes = secure ? [getCookiePrefix(true), formerPrefix] : [cookiePrefix]
  return prefixes.map((prefix) => `${prefix}.${name}`)
}

/** Returns the encoded value of the first of these cookies that the Cookie header contains, or null. */
export function findCookie(header: string, names: readonly string[]): string | null {
  const pairs = header.split(';').map((pair) => pair.trim())
  for (const name of names) {
    const found = pairs.find((pair) => pair.startsWith(`${name}=`))
    if (found !== undefined) return found.slice(name.length + 1)
  }
  return null
}

/**
 * Returns the Cookie header without former names. Cookies with one are renamed, or dropped if a cookie with the new
 * name is present.
 */
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

/** Returns the Set-Cookie headers, each followed by a copy with the former name. */
export function withFormerNames(setCookies: readonly string[]): string[] {
  const prefix = getCookiePrefix(true)
  return setCookies.flatMap((text) =>
    text.startsWith(`${prefix}.`) ? [text, formerPrefix + text.slice(prefix.length)] : [text],
  )
}
