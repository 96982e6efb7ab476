// What one person chose lately in the palette of this browser, newest first. What is read was possibly
// written by another version, so it is checked before it is used.
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
    // Not JSON, or the browser forbids storage: as if nothing had been kept.
    return []
  }
}

export function rememberChoice(userId: string, choice: PaletteChoice): void {
  // What an action does depends on the moment; it stands in its own group.
  if (choice.kind === 'action') return
  write(userId, [choice, ...others(userId, choice)].slice(0, maxRecent))
}

/** It is gone, or not for this person any more. */
export function forgetChoice(userId: string, choice: PaletteChoice): void {
  write(userId, others(userId, choice))
}

function others(userId: string, choice: PaletteChoice): PaletteChoice[] {
  return readRecentChoices(userId).filter((other) => choiceKey(other) !== choiceKey(choice))
}

function write(userId: string, choices: PaletteChoice[]): void {
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(choices))
  } catch {
    // Storage is full or forbidden: nothing is remembered.
  }
}
