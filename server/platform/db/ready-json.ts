// Responses that are already JSON, from a cache or written by PostgreSQL. Long lists are not parsed and serialized
// again. The server does not check them against the contract, but the tests do.
import type { Output } from '#contract/endpoint.ts'

/** The bytes of a response, ready to send. */
export class ReadyJson {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** JSON text of a `T`: a whole response or a part of one. */
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

/** Serializes an endpoint's response, any part of which may be JSON text already. */
export function serializeResponse<E>(response: WithJsonText<Output<E>>): JsonText<Output<E>> {
  const pieces: string[] = []
  write(response, pieces)
  // Kept as text until it is sent, because another buffer would cause more garbage collection.
  return new JsonText(pieces.join(''))
}

/** Collects pieces and joins them once. The text of a list is long, and every concatenation would copy it. */
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
