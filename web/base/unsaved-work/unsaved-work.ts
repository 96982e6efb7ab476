// The unsaved work of all mounted forms. Read by the leave question, by the drafts on this device, and by the screen
// guard, which keeps a form mounted when the session ends.
import { useEffect, useEffectEvent } from 'react'
import { create } from 'zustand'

export interface UnsavedWork {
  /** Identifies the form and the edited item: 'playlist:{id}'. */
  key: string
  /** Names the item in questions to the user: 'this playlist'. */
  what: string
  /** Removes the form's draft from this device. */
  discard?: () => void
}

export const useUnsavedWorks = create<{ works: readonly UnsavedWork[] }>(() => ({ works: [] }))

/** Registers a form's work while it is mounted and has unsaved changes. */
export function useUnsavedWork({
  key,
  what,
  discard,
  isUnsaved,
}: UnsavedWork & { isUnsaved: boolean }): void {
  const drop = useEffectEvent(() => discard?.())
  useEffect(() => {
    if (!isUnsaved) return
    // Create one object per form, because two forms may edit the same item.
    const work: UnsavedWork = { key, what, discard: () => drop() }
    useUnsavedWorks.setState(({ works }) => ({ works: [...works, work] }))
    return () =>
      useUnsavedWorks.setState(({ works }) => ({ works: works.filter((one) => one !== work) }))
  }, [key, what, isUnsaved])
}

/** Removes a form's work immediately: after a save its screen may navigate before it renders again. */
export function releaseWork(key: string): void {
  useUnsavedWorks.setState(({ works }) => ({ works: works.filter((one) => one.key !== key) }))
}

/** True if any mounted form has unsaved changes. */
export function hasUnsavedWork(): boolean {
  return useUnsavedWorks.getState().works.length > 0
}
