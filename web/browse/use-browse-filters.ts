// The filters of the address, and the ways to change them. Choosing is a step that the back button
// undoes; typing is not.
import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  chooseView,
  readFilters,
  toggleCategory,
  writeFilters,
  type BrowseFilters,
  type BrowseView,
} from './browse-filters.ts'

/** Short enough to feel at once, long enough not to ask for every letter. */
const typingPauseMs = 180

export function useBrowseFilters() {
  const [address, setAddress] = useSearchParams()
  const filters = readFilters(address)
  const go = (next: BrowseFilters, options?: { replace: boolean }) =>
    setAddress(writeFilters(next), { preventScrollReset: true, ...options })
  const search = useTyping(filters.q, (q) => go({ ...filters, q }, { replace: true }))
  return {
    filters,
    /** What stands in the search box, ahead of `filters.q` while one types. */
    text: search.text,
    type: search.type,
    chooseView: (view: BrowseView) => go(chooseView(filters, view)),
    toggleCategory: (category: string) => go(toggleCategory(filters, category)),
    clear: () => {
      search.type('')
      go(readFilters(new URLSearchParams()))
    },
  }
}

/** Holds what is typed and hands it on after a pause; follows the address when that changes by itself. */
function useTyping(settled: string, settle: (text: string) => void) {
  const [typed, setTyped] = useState({ text: settled, settled, sent: [] as string[] })
  if (typed.settled !== settled) {
    // What we sent ourselves comes back, perhaps after the next letter; anything else (back button, a
    // link) takes the place of what is typed.
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
