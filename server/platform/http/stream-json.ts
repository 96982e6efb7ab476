// Streams JSON that is too long to hold in memory. Lists are read while they are written, as fast as the client
// receives them.
import { Readable } from 'node:stream'

/** A value that is written in chunks: a list that is still being read, or an object that contains one. */
export type StreamedJson = AsyncIterable<unknown> | { [name: string]: unknown }

const pieceCharacters = 16 * 1024

/**
 * Streams one JSON document. If reading a list fails, the stream is destroyed, so that a partial document never looks
 * complete.
 */
export function streamJson(value: StreamedJson): Readable {
  return Readable.from(inPieces(write(value)))
}

async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < pieceCharacters) continue
    yield piece
    piece = ''
  }
  yield piece
}

async function* write(value: unknown): AsyncGenerator<string> {
  if (isList(value)) yield* writeList(value)
  else if (hasList(value)) yield* writeObject(value)
  else yield JSON.stringify(value)
}

async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '['
  for await (const item of items) {
    yield separator
    yield* write(item)
    separator = ',\n'
  }
  yield separator === '[' ? '[]' : ']'
}

async function* writeObject(object: object): AsyncGenerator<string> {
  let separator = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    yield* write(value)
    separator = ',\n'
  }
  yield '}'
}

function isList(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function hasList(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).some(isList)
}
