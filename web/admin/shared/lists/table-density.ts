// Whether back-office tables have compact or comfortable rows. The choice is stored in this browser. On touch screens
// and in narrow windows rows are always comfortable.
import { useSyncExternalStore } from 'react'

export type TableDensity = 'compact' | 'comfortable'

const storageKey = 'velour-table-density'
const listeners = new Set<() => void>()
let choiceOfThisPage: TableDensity | undefined

export function useTableDensity(): TableDensity {
  return useSyncExternalStore(subscribe, readDensity, () => 'compact')
}

export function chooseTableDensity(density: TableDensity): void {
  choiceOfThisPage = density
  try {
    localStorage.setItem(storageKey, density)
  } catch {
    // localStorage can be full or blocked. The choice is then kept until the page closes.
  }
  for (const listener of listeners) listener()
}

function readDensity(): TableDensity {
  if (choiceOfThisPage) return choiceOfThisPage
  try {
    return localStorage.getItem(storageKey) === 'comfortable' ? 'comfortable' : 'compact'
  } catch {
    return 'compact'
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', onStorage)
  }
}

/** Applies a choice that was made in another tab. */
function onStorage({ key }: StorageEvent): void {
  if (key !== storageKey) return
  choiceOfThisPage = undefined
  for (const listener of listeners) listener()
}
