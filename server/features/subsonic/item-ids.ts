// Ids in the Subsonic API: a prefix for the kind, followed by the UUID. Apps use ids as cache keys for years, so they
// never change. A track without a release also has an id as an album, with `al-` and the track's UUID.
import { notFound } from './subsonic-error.ts'

const prefixes = { song: 'tr', album: 'al', artist: 'ar', playlist: 'pl', cover: 'co' } as const
export type ItemKind = keyof typeof prefixes

const pattern = /^(tr|al|ar|pl|co)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

export function itemId(kind: ItemKind, uuid: string): string {
  return `${prefixes[kind]}-${uuid}`
}

export function parseItemId(text: string): { kind: ItemKind; uuid: string } | null {
  const [, prefix, uuid] = pattern.exec(text) ?? []
  if (!prefix || !uuid) return null
  const kinds = Object.keys(prefixes) as ItemKind[]
  const kind = kinds.find((one) => prefixes[one] === prefix.toLowerCase())!
  return { kind, uuid: uuid.toLowerCase() }
}

/** Returns the UUID of an id of the given kind. Throws Subsonic error 70 for other ids. */
export function requireUuid(kind: ItemKind, text: string): string {
  const parsed = parseItemId(text)
  if (parsed?.kind !== kind) throw notFound(kind.charAt(0).toUpperCase() + kind.slice(1))
  return parsed.uuid
}
