// Reads fields of untrusted JSON. A field of the wrong type is treated as absent.
import { cleanName } from '#contract/fields/clean-name.ts'

export type Fields = Record<string, unknown>

export const isJsonObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface FieldReader {
  object: (name: string) => Fields | null
  /** The objects in a field that is a list. A single object is treated as a list with one item. */
  list: (name: string) => Fields[]
  /** The field as one line of text. Undefined if it is absent or empty. */
  text: (name: string, maxLength?: number) => string | undefined
  /** The field as an identifier, unchanged. A number is converted to text. */
  id: (name: string) => string | undefined
  number: (name: string) => number | undefined
}

export function readFields(value: unknown): FieldReader {
  const fields = isJsonObject(value) ? value : {}
  return {
    object: (name) => (isJsonObject(fields[name]) ? fields[name] : null),
    list: (name) => [fields[name]].flat().filter(isJsonObject),
    text: (name, maxLength = 200) => toOneLine(fields[name], maxLength),
    id(name) {
      const id = fields[name]
      const text = typeof id === 'number' ? String(id) : id
      const isUsable = typeof text === 'string' && text !== '' && text.length <= 500
      return isUsable && text.isWellFormed() && !/\p{Cc}/u.test(text) ? text : undefined
    },
    number: (name) => (typeof fields[name] === 'number' ? fields[name] : undefined),
  }
}

export function toOneLine(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = cleanName(value.slice(0, maxLength * 4).replaceAll('\0', ''))
  return text.slice(0, maxLength).toWellFormed().trim() || undefined
}
