// The parameters of a request, from its query and its form. A name may occur several times.
import { SubsonicError } from './subsonic-error.ts'

export class Parameters {
  readonly #values: URLSearchParams

  /** If a name is in both, the form's values come first. */
  constructor(query: string, form: string) {
    this.#values = new URLSearchParams(form)
    for (const [name, value] of new URLSearchParams(query)) this.#values.append(name, value)
  }

  /** Undefined if it is absent. Removes what PostgreSQL's text cannot hold: NUL and lone surrogates. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.replaceAll('\u0000', '').toWellFormed()
  }

  required(name: string): string {
    const value = this.text(name)
    if (value !== undefined && value !== '') return value
    throw new SubsonicError('missing_parameter', `Required parameter is missing: ${name}`)
  }

  all(name: string): string[] {
    return this.#values.getAll(name).filter((value) => value !== '')
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** A number out of range is clamped; anything else is refused. */
  integer(name: string, { or, min = 0, max }: { or: number; min?: number; max: number }): number {
    const text = this.text(name)?.trim()
    if (!text) return or
    if (!/^-?\d{1,16}(?:\.\d+)?$/.test(text)) {
      throw new SubsonicError('generic', `Parameter ${name} is not a number`)
    }
    return Math.min(max, Math.max(min, Math.trunc(Number(text))))
  }

  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase()
    return text === undefined || text === '' ? undefined : text === 'true' || text === '1'
  }
}
