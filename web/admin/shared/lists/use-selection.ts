// The selected rows of a paginated list: some on this page, or all that match the filters.
import { useState } from 'react'

export interface RowSelection {
  /** Ids of the selected rows on this page. */
  chosen: ReadonlySet<string>
  /** True if all matching rows are selected, including those on other pages. */
  isAll: boolean
  count: number
  isChosen: (id: string) => boolean
  choose: (id: string, isChosen: boolean) => void
  chooseMany: (ids: readonly string[]) => void
  chooseAll: () => void
  clear: () => void
}

/** `listKey` identifies the list, its filters and its page. A new `listKey` clears the selection. */
export function useSelection(
  pageIds: readonly string[],
  total: number,
  listKey: string,
): RowSelection {
  const [state, setState] = useState({ listKey, ids: new Set<string>(), isAll: false })
  const isCurrent = state.listKey === listKey
  const isAll = isCurrent && state.isAll
  // Deselect rows that are no longer on the page.
  const chosen = new Set(isCurrent ? pageIds.filter((id) => isAll || state.ids.has(id)) : [])
  const set = (ids: Set<string>, all = false) => setState({ listKey, ids, isAll: all })
  return {
    chosen,
    isAll,
    count: isAll ? total : chosen.size,
    isChosen: (id) => chosen.has(id),
    choose(id, isChosen) {
      const next = new Set(chosen)
      if (isChosen) next.add(id)
      else next.delete(id)
      set(next)
    },
    chooseMany: (ids) => set(new Set(ids)),
    chooseAll: () => set(new Set(pageIds), true),
    clear: () => set(new Set()),
  }
}
