// JSON values in localStorage. Another version of the app may have written them, or the user may have edited them, so
// each read validates. Storage may also be full or forbidden.
import * as z from 'zod/mini'

// Compiled validators need `eval`, which the content security policy forbids. The console would report each attempt.
z.config({ jitless: true })

export function readStorage<Schema extends z.ZodMiniType>(
  key: string,
  schema: Schema,
): z.output<Schema> | null {
  try {
    const text = localStorage.getItem(key)
    if (text === null) return null
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // Treat invalid JSON and blocked storage as absent.
    return null
  }
}

/** Returns false if the value does not fit or storage is blocked. */
export function writeStorage(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Removes a value. Returns false if there was nothing to remove. */
export function removeStorage(key: string): boolean {
  try {
    const wasThere = localStorage.getItem(key) !== null
    localStorage.removeItem(key)
    return wasThere
  } catch {
    // Storage is blocked, so there is nothing to remove.
    return false
  }
}

/** Returns all keys of this origin, not only the player's. */
export function listStorageKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
