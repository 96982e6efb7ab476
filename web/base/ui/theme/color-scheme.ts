// Dark, light or the system's setting. The choice is stored in this browser. before-start.js applies it before
// the first paint and must use the same key and values.
import { useSyncExternalStore } from 'react'

export const colorSchemeChoices = ['system', 'dark', 'light'] as const
export type ColorSchemeChoice = (typeof colorSchemeChoices)[number]

const storageKey = 'velour-color-scheme'
const groundColors = { dark: '#150a13', light: '#f9f2ee' }
const listeners = new Set<() => void>()
let choiceOfThisPage: ColorSchemeChoice | undefined

export function useColorSchemeChoice(): ColorSchemeChoice {
  return useSyncExternalStore(subscribe, readChoice, () => 'system')
}

export function chooseColorScheme(choice: ColorSchemeChoice): void {
  choiceOfThisPage = choice
  try {
    localStorage.setItem(storageKey, choice)
  } catch {
    // If storage is full or blocked, the choice lasts until this page is closed.
  }
  applyColorScheme()
}

/** Follows changes of the system and of other tabs. Call once, at startup. */
export function followColorScheme(): void {
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', applyColorScheme)
  addEventListener('storage', (event) => {
    if (event.key !== storageKey) return
    choiceOfThisPage = undefined
    applyColorScheme()
  })
}

function applyColorScheme(): void {
  const choice = readChoice()
  const systemIsLight = matchMedia('(prefers-color-scheme: light)').matches
  const scheme = choice === 'system' ? (systemIsLight ? 'light' : 'dark') : choice
  document.documentElement.dataset.mantineColorScheme = scheme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', groundColors[scheme])
  for (const listener of listeners) listener()
}

function readChoice(): ColorSchemeChoice {
  if (choiceOfThisPage) return choiceOfThisPage
  try {
    const stored = localStorage.getItem(storageKey)
    return colorSchemeChoices.find((choice) => choice === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
