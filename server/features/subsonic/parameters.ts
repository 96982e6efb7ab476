// The parameters of a Subsonic request, from its query string and its form. A name may occur several times.
import { SubsonicError } from './subsonic-error.ts'

export interface Parameters {
  /** Undefined if the parameter is absent. Removes NUL and lone surrogates, which PostgreSQL cannot store as text. */
  text: (name: string) => string | undefined
  required: (name: string) => string
  all: (name: string) => string[]
  has: (name: string) => boolean
  /** Parses an integer. A number out of range is clamped. Other text results in an error. */
  integer: (name: string, options: { or: number; min?: number; max: number }) => number
  flag: (name: string) => boolean | undefined
}

/** If query string and form contain the same name, the form's values come first. */
export function readParameters(query: string, form: string): Parameters {
  const values = new URLSearchParams(form)
  for (const [name, value] of new URLSearchParams(query)) values.append(name, value)
  const text = (name: string) => values.get(name)?.replaceAll('\u0000', '').toWellFormed()
  return {
    text,
    required(name) {
      const value = text(name)
      if (value !== undefined && value !== '') return value
      throw new SubsonicError('missing_parameter', `Required parameter is missing: ${name}`)
    },
    all: (name) => values.getAll(name).filter((value) => value !== ''),
    has: (name) => values.has(name),
    integer(name, { or, min = 0, max }) {
      const given = text(name)?.trim()
      if (!given) return or
      if (!/^-?\d{1,16}(?:\.\d+)?$/.test(given)) {
        throw new SubsonicError('generic', `Parameter ${name} is not a number`)
      }
      return Math.min(max, Math.max(min, Math.trunc(Number(given))))
    },
    flag(name) {
      const given = text(name)?.toLowerCase()
      return given === undefined || given === '' ? undefined : given === 'true' || given === '1'
    },
  }
}
