// Evaluates conditional requests (RFC 9110 §13): whether the client already has this version, or requires another
// one.
import type { IncomingHttpHeaders } from 'node:http'

/** The ETag and the date of a file. `lastModified` is rounded to whole seconds, like its header. */
export interface Validators {
  /** A strong ETag in quotes. */
  etag: string
  lastModified: Date
}

/** Follows the order of RFC 9110 §13.2.2, in which ETags take precedence over dates. */
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

/**
 * Whether to send the requested range. If-Range allows it only if the client has the current version, otherwise the
 * whole file is sent (RFC 9110 §13.1.5).
 */
export function mayUseRange(headers: IncomingHttpHeaders, file: Validators): boolean {
  const ifRange = headers['if-range']
  if (typeof ifRange !== 'string') return true
  // Compares exactly, which excludes weak ETags and dates other than the one that was sent.
  if (ifRange.endsWith('"')) return ifRange === file.etag
  return seconds(ifRange) === wholeSeconds(file.lastModified)
}

const opaqueTag = /(?:W\/)?"[^"]*"/g

/** Weak comparison: a tag matches with or without `W/`. */
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

/** Parses an HTTP date. Returns null for an invalid one, which is ignored. */
function seconds(date: string | undefined): number | null {
  const time = date === undefined ? NaN : Date.parse(date)
  return Number.isNaN(time) ? null : time / 1000
}

function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
