// Descriptions and example values by field name, for fields that have the same meaning everywhere. The API description
// uses them for schemas without their own description (`z.describe`).
import { catalogueNotes } from './catalogue-notes.ts'
import { moneyNotes } from './money-notes.ts'
import { peopleNotes } from './people-notes.ts'
import { serviceNotes } from './service-notes.ts'

/** A description and an example value by field name. Without an example, one is generated from the schema. */
export type FieldNotes = Readonly<Record<string, readonly [description: string, example?: unknown]>>

const fieldNotes: FieldNotes = { ...catalogueNotes, ...peopleNotes, ...moneyNotes, ...serviceNotes }

/** Matches timestamp names such as `created_at`. */
const moment = /(?:_at|At)$/

/** The description of a field name, or undefined if it isn't listed. */
export function describeField(name: string): string | undefined {
  if (Object.hasOwn(fieldNotes, name)) return fieldNotes[name]?.[0]
  return moment.test(name)
    ? `When it was ${name.replace(moment, '').replaceAll('_', ' ')}.`
    : undefined
}

/** A realistic example value. Undefined if none is defined. */
export function getFieldExample(name: string): unknown {
  return Object.hasOwn(fieldNotes, name) ? fieldNotes[name]?.[1] : undefined
}
