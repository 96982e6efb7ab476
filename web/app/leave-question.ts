// The one question before unsaved work is left, and the works it is about.
import { create } from 'zustand'
import { dropDrafts, hasDrafts } from './kept-drafts.ts'
import { useUnsavedWorks, type UnsavedWork } from './unsaved-work.ts'

/** `leave` keeps the draft on this device, `discard` does not. */
export type LeaveAnswer = 'stay' | 'leave' | 'discard'

export interface LeaveQuestion {
  works: readonly UnsavedWork[]
  isSigningOut: boolean
  answer: (answer: LeaveAnswer) => void
}

export const useLeaveQuestion = create<{ question: LeaveQuestion | null }>(() => ({
  question: null,
}))

/** Asks about these works; a newer question answers the older one with `stay`. */
export function askToLeave(
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

/** Whether the member may be signed out: after asking, when there is unsaved work, which goes then. */
export async function maySignOut(userId: string | undefined): Promise<boolean> {
  const { works } = useUnsavedWorks.getState()
  if (userId === undefined || (works.length === 0 && !hasDrafts(userId))) return true
  if ((await askToLeave(works, { isSigningOut: true })) === 'stay') return false
  dropDrafts(userId)
  return true
}

/** From now on nothing asks about these any more. */
function releaseWorks(works: readonly UnsavedWork[]): void {
  useUnsavedWorks.setState((state) => ({
    works: state.works.filter((one) => !works.includes(one)),
  }))
}
