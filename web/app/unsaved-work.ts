// What is unsaved right now, over all mounted forms. Reads: the leave question, the drafts on this device, and
// the screen guard, which keeps a form mounted when the session ends.
import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'

export interface UnsavedWork {
  /** Identifies the edited thing: 'playlist:{id}'. */
  key: string
  /** For people: 'this playlist'. */
  what: string
  /** Drops what this device keeps of it. */
  discard?: () => void
}

export const useUnsavedWorks = create<{ works: readonly UnsavedWork[] }>(() => ({ works: [] }))

/** Registers a form's work while it is mounted and has changes that are not saved. */
export function useUnsavedWork({
  key,
  what,
  discard,
  isUnsaved,
}: UnsavedWork & { isUnsaved: boolean }): void {
  const drop = useEffectEvent(() => discard?.())
  useEffect(() => {
    if (!isUnsaved) return
    // An object per form: two forms may edit the same thing.
    const work: UnsavedWork = { key, what, discard: () => drop() }
    useUnsavedWorks.setState(({ works }) => ({ works: [...works, work] }))
    return () =>
      useUnsavedWorks.setState(({ works }) => ({ works: works.filter((one) => one !== work) }))
  }, [key, what, isUnsaved])
}

/** Takes a form's work off the list at once: it was saved, and its screen may lead away before it is drawn again. */
export function releaseWork(key: string): void {
  useUnsavedWorks.setState(({ works }) => ({ works: works.filter((one) => one.key !== key) }))
}

/** Whether any mounted form holds work that is not saved. */
export function hasUnsavedWork(): boolean {
  return useUnsavedWorks.getState().works.length > 0
}
