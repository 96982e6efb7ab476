// Builds a Subsonic response as a tree and serializes it. The JSON response is the tree itself. In XML (API 1.16.1),
// plain values become attributes, objects and arrays become child elements, and `value` becomes the text of its
// element.
import { errorCodes, type SubsonicError } from './subsonic-error.ts'

export type Scalar = string | number | boolean
/** A node of a response. Undefined fields are left out. */
export interface Tree {
  [name: string]: Scalar | Tree | readonly (Scalar | Tree)[] | undefined
}

export const apiVersion = '1.16.1'
const namespace = 'http://subsonic.org/restapi'

/** Names of plain values that become child elements in XML, not attributes. */
const textElements = new Set([
  'biography',
  'musicBrainzId',
  'lastFmUrl',
  'smallImageUrl',
  'mediumImageUrl',
  'largeImageUrl',
  'notes',
])
const parentsOfText = new Set(['artistInfo', 'artistInfo2', 'albumInfo'])

export interface Server {
  type: string
  serverVersion: string
}

/** Adds the fields that every response has, including errors. */
export function envelope(server: Server, content: Tree | SubsonicError): Tree {
  const isFailed = content instanceof Error
  return {
    status: isFailed ? 'failed' : 'ok',
    version: apiVersion,
    ...server,
    openSubsonic: true,
    ...(isFailed ? { error: errorTree(content) } : content),
  }
}

function errorTree({ kind, message, helpUrl }: SubsonicError): Tree {
  return { code: errorCodes[kind], message, helpUrl }
}

export function toJson(tree: Tree): string {
  return JSON.stringify({ 'subsonic-response': tree })
}

export function toXml(tree: Tree): string {
  const pieces = ['<?xml version="1.0" encoding="UTF-8"?>\n']
  writeElement('subsonic-response', { xmlns: namespace, ...tree }, pieces)
  return pieces.join('')
}

function writeElement(name: string, tree: Tree, pieces: string[]): void {
  const children: [string, Scalar | Tree][] = []
  pieces.push('<', name)
  for (const [key, value] of Object.entries(tree)) {
    if (value === undefined || (key === 'value' && typeof value !== 'object')) continue
    const isText = parentsOfText.has(name) && textElements.has(key)
    if (Array.isArray(value))
      children.push(...value.map((one): [string, Scalar | Tree] => [key, one]))
    else if (typeof value === 'object') children.push([key, value as Tree])
    else if (isText) children.push([key, value])
    else pieces.push(' ', key, '="', escapeXml(String(value)), '"')
  }
  const text = typeof tree.value === 'object' || tree.value === undefined ? '' : String(tree.value)
  if (children.length === 0 && text === '') {
    pieces.push('/>')
    return
  }
  pieces.push('>', escapeXml(text))
  for (const [key, child] of children) {
    if (typeof child === 'object') writeElement(key, child, pieces)
    else pieces.push('<', key, '>', escapeXml(String(child)), '</', key, '>')
  }
  pieces.push('</', name, '>')
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Escapes text for XML. XML 1.0 cannot represent most control characters, U+FFFE and U+FFFF, so these are removed. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"\n\r\t]/g, (letter) => entities[letter]!)
  )
}
