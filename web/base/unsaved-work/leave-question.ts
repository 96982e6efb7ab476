// State of the "unsaved changes" question and the work it is about.
import { create } from 'zustand'
import { dropDrafts, hasDrafts } from './stored-drafts.ts'
import { useUnsavedWorks, type UnsavedWork } from './unsaved-work.ts'

/** `leave` keeps the draft on this device; `discard` deletes it. */
export type LeaveAnswer = 'stay' | 'leave' | 'discard'

export interface LeaveQuestion {
  works: readonly UnsavedWork[]
  isSigningOut: boolean
  answer: (answer: LeaveAnswer) => void
}

export const useLeaveQuestion = create<{ question: LeaveQuestion | null }>(() => ({
  question: null,
}))

/** Asks the user about this unsaved work. A newer question resolves the older one with `stay`. */
export function confirmLeaving(
  works: readonly UnsavedWork[],
  { isSigningOut = false } = {},
): Promise<LeaveAnswer> {
  useLeaveQuestion.getState().question?.answer('stay')
  return new Promise((resolve) => {
    const answer = (given: LeaveAnswer) => {
      useLeaveQuestion.setState({ question: null })
      if (given === 'discard') for (const { discard } of works) discard?.()
      if (given !== 'stay') releaseWorks(works)
      resolve(given)
    }
    useLeaveQuestion.setState({ question: { works, isSigningOut, answer } })
  })
}

/**
 * Resolves to true if the user may be signed out. If there is unsaved work, asks first. If the user confirms, deletes
 * the drafts.
 */
export async function maySignOut(userId: string | undefined): Promise<boolean> {
  const { works } = useUnsavedWorks.getState()
  if (userId === undefined || (works.length === 0 && !hasDrafts(userId))) return true
  if ((await confirmLeaving(works, { isSigningOut: true })) === 'stay') return false
  dropDrafts(userId)
  return true
}

/** Removes this work from the list of unsaved work, so that leaving needs no confirmation. */
function releaseWorks(works: readonly UnsavedWork[]): void {
  useUnsavedWorks.setState((state) => ({
    works: state.works.filter((one) => !works.includes(one)),
  }))
}
