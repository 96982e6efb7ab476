// Dark, light, or whatever the system says. The choice is kept in this browser; public/color-scheme.js
// applies it before the first paint and agrees with this file on key and values.
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
    // Storage is full or forbidden: the choice holds until this page is closed.
  }
  applyColorScheme()
}

/** Keeps the page in step with the system and with other tabs. Call once, at the start. */
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
