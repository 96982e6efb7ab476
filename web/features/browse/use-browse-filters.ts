// The filters in the URL, and functions to change them. Choosing a filter adds a history entry; typing does not.
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { TrackSort } from '../catalogue/queries/track-queries.ts'
import {
  chooseView,
  readFilters,
  toggleCategory,
  withoutMood,
  writeFilters,
  type BrowseFilters,
  type BrowseView,
} from './browse-filters.ts'

/** Debounce: short enough to feel immediate, long enough to skip most letters. */
const typingPauseMs = 180

export function useBrowseFilters() {
  const [address, setAddress] = useSearchParams()
  const filters = readFilters(address)
  const go = (next: BrowseFilters, options?: { replace: boolean }) =>
    setAddress(writeFilters(next), { preventScrollReset: true, ...options })
  const search = useTyping(filters.q, (q) => go({ ...filters, q }, { replace: true }))
  return {
    filters,
    /** The text in the search box; `filters.q` follows after a pause. */
    text: search.text,
    type: search.type,
    chooseView: (view: BrowseView) => go(chooseView(filters, view)),
    toggleCategory: (category: string) => go(toggleCategory(filters, category)),
    clearMood: () => go(withoutMood(filters)),
    sort: (sort: TrackSort) => go({ ...filters, sort }, { replace: true }),
    clear: () => {
      search.type('')
      go(readFilters(new URLSearchParams()))
    },
  }
}

/**
 * The state of the search box: stores the typed text and applies it after a pause. If the URL changes for another
 * reason, replaces the text.
 */
function useTyping(settled: string, settle: (text: string) => void) {
  const [typed, setTyped] = useState({ text: settled, settled, sent: [] as string[] })
  if (typed.settled !== settled) {
    // The change may be our own, applied after the next letter was typed: then keep the typed text. Any other change
    // (back button, a link) replaces it.
    const place = typed.sent.indexOf(settled)
    const text = place < 0 ? settled : typed.text
    setTyped({ text, settled, sent: place < 0 ? [] : typed.sent.slice(place + 1) })
  }
  const wanted = typed.text.trim()
  const latest = typed.sent.at(-1) ?? settled
  const settleNow = useEffectEvent(() => {
    setTyped({ ...typed, sent: [...typed.sent, wanted] })
    settle(wanted)
  })
  useEffect(() => {
    if (wanted === latest) return
    const timer = setTimeout(settleNow, typingPauseMs)
    return () => clearTimeout(timer)
  }, [wanted, latest])
  return { text: typed.text, type: (text: string) => setTyped({ ...typed, text }) }
}
