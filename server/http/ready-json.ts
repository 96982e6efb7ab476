// Answers that are JSON already, because they were kept or because PostgreSQL wrote their rows, so that long lists are
// not read into objects only to be written again. What they promise is held by the tests, which check every answer.
import type { Output } from '#contract/endpoint.ts'

/** The bytes of an answer, ready to send. */
export class ReadyJson {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** JSON of a `T`: an answer, or what stands in one as it is. */
export class JsonText<T> {
  declare readonly written: T
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type WithJsonText<T> =
  | JsonText<T>
  | (T extends readonly (infer Item)[]
      ? WithJsonText<Item>[]
      : T extends object
        ? { [Key in keyof T]: WithJsonText<T[Key]> }
        : T)

/** Writes an endpoint's answer, any part of which may be written already. */
export function readyJson<E>(answer: WithJsonText<Output<E>>): JsonText<Output<E>> {
  const pieces: string[] = []
  write(answer, pieces)
  // Stays text until it is sent: a buffer of its own would be one more thing for the collector.
  return new JsonText(pieces.join(''))
}

/** In pieces that are joined once: a list's text is long, and each joining on the way would copy it. */
function write(value: unknown, pieces: string[]): void {
  if (value instanceof JsonText) {
    pieces.push(value.text)
  } else if (Array.isArray(value)) {
    writeAll(value, '[', pieces, (item: unknown) => write(item, pieces))
    pieces.push(']')
  } else if (value !== null && typeof value === 'object') {
    writeAll(Object.entries(value), '{', pieces, ([key, field]: [string, unknown]) => {
      pieces.push(JSON.stringify(key), ':')
      write(field, pieces)
    })
    pieces.push('}')
  } else {
    pieces.push(JSON.stringify(value))
  }
}

function writeAll<Item>(
  items: readonly Item[],
  open: string,
  pieces: string[],
  writeOne: (item: Item) => void,
): void {
  if (items.length === 0) pieces.push(open)
  for (const [i, item] of items.entries()) {
    pieces.push(i === 0 ? open : ',')
    writeOne(item)
  }
}
