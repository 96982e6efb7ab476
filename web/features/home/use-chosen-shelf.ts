// The shelf that the member selected above the list of Browse, stored on this device.
import { useState } from 'react'

const storageKey = 'velour-home-shelf'

/**
 * Returns the id of the selected shelf, or null if the member has not selected one, and a function that selects a
 * shelf.
 */
export function useChosenShelf(): [string | null, (id: string) => void] {
  const [id, setId] = useState(readChosen)
  return [
    id,
    (chosen) => {
      setId(chosen)
      try {
        localStorage.setItem(storageKey, chosen)
      } catch {
        // If localStorage is full or blocked, the choice lasts until this page is closed.
      }
    },
  ]
}

function readChosen(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
