// A user's recent choices in the palette, stored in this browser, newest first. Another version of the app may have
// written them, so each read validates.
import * as z from 'zod/mini'
import { choiceKey, paletteChoice, type PaletteChoice } from './palette-choice.ts'

const maxRecent = 6
const savedChoices = z.array(paletteChoice)

const storageKey = (userId: string) => `velour-palette:${userId}`

export function readRecentChoices(userId: string): PaletteChoice[] {
  try {
    const text = localStorage.getItem(storageKey(userId))
    return text === null ? [] : (savedChoices.safeParse(JSON.parse(text)).data ?? [])
  } catch {
    // Treat invalid JSON and blocked storage as empty.
    return []
  }
}

export function rememberChoice(userId: string, choice: PaletteChoice): void {
  // Actions depend on the current state and have their own group.
  if (choice.kind === 'action') return
  write(userId, [choice, ...others(userId, choice)].slice(0, maxRecent))
}

/** Removes a choice that no longer exists or that this user may no longer see. */
export function removeRecentChoice(userId: string, choice: PaletteChoice): void {
  write(userId, others(userId, choice))
}

function others(userId: string, choice: PaletteChoice): PaletteChoice[] {
  return readRecentChoices(userId).filter((other) => choiceKey(other) !== choiceKey(choice))
}

function write(userId: string, choices: PaletteChoice[]): void {
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(choices))
  } catch {
    // If storage is full or blocked, nothing is remembered.
  }
}
