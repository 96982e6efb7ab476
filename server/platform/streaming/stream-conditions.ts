// Evaluates conditional requests (RFC 9110 §13): whether the client has this version already, or requires another one.
import type { IncomingHttpHeaders } from 'node:http'

/** The validators of a file. `lastModified` has whole seconds, as its header does. */
export interface Validators {
  /** Strong and quoted. */
  etag: string
  lastModified: Date
}

/** Follows the order of RFC 9110 §13.2.2: an entity tag has precedence over the date. */
export function evaluateConditions(
  headers: IncomingHttpHeaders,
  { etag, lastModified }: Validators,
): 'proceed' | 'not_modified' | 'failed' {
  const modified = wholeSeconds(lastModified)
  const ifMatch = headers['if-match']
  const ifUnmodifiedSince = seconds(headers['if-unmodified-since'])
  if (ifMatch !== undefined) {
    if (!hasStrongTag(ifMatch, etag)) return 'failed'
  } else if (ifUnmodifiedSince !== null && modified > ifUnmodifiedSince) return 'failed'

  const ifNoneMatch = headers['if-none-match']
  const ifModifiedSince = seconds(headers['if-modified-since'])
  if (ifNoneMatch !== undefined) return hasTag(ifNoneMatch, etag) ? 'not_modified' : 'proceed'
  return ifModifiedSince !== null && modified <= ifModifiedSince ? 'not_modified' : 'proceed'
}

/** If-Range: sends the range only if the client's version is current, otherwise the whole file (RFC 9110 §13.1.5). */
export function mayUseRange(headers: IncomingHttpHeaders, file: Validators): boolean {
  const ifRange = headers['if-range']
  if (typeof ifRange !== 'string') return true
  // The exact comparison excludes weak tags, and dates other than the one that was sent.
  if (ifRange.endsWith('"')) return ifRange === file.etag
  return seconds(ifRange) === wholeSeconds(file.lastModified)
}

const opaqueTag = /(?:W\/)?"[^"]*"/g

/** Weak comparison. */
function hasTag(list: string, etag: string): boolean {
  return (
    list.trim() === '*' ||
    (list.match(opaqueTag) ?? []).some((tag) => tag.replace(/^W\//, '') === etag)
  )
}

function hasStrongTag(list: string, etag: string): boolean {
  return list.trim() === '*' || parseTags(list).includes(etag)
}

function parseTags(list: string): string[] {
  return list.match(opaqueTag) ?? []
}

/** Returns null for an invalid date, which is ignored. */
function seconds(date: string | undefined): number | null {
  const time = date === undefined ? NaN : Date.parse(date)
  return Number.isNaN(time) ? null : time / 1000
}

function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
