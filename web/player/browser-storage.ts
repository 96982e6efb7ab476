// What this browser keeps as JSON. It was possibly written by another version of the app, or edited, so it is
// checked whenever it is read; and it may be full or forbidden.
import * as z from 'zod/mini'

// Compiled validators need eval, which the content security policy forbids and the console would report.
z.config({ jitless: true })

export function read<Schema extends z.ZodMiniType>(
  key: string,
  schema: Schema,
): z.output<Schema> | null {
  try {
    const text = localStorage.getItem(key)
    if (text === null) return null
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // Not JSON, or the browser forbids storage: as if nothing had been kept.
    return null
  }
}

/** False when it does not fit. */
export function write(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** False when there was nothing. */
export function remove(key: string): boolean {
  try {
    const wasThere = localStorage.getItem(key) !== null
    localStorage.removeItem(key)
    return wasThere
  } catch {
    // Forbidden, so there is nothing.
    return false
  }
}

/** The names of everything that is kept, by whomever. */
export function keys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
