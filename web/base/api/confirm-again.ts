// The server rejects operations that need a recent password or code with `reauthentication_required`. The call then
// stays pending until the user confirms or cancels the re-authentication dialog. Concurrent calls share one dialog.
import { create } from 'zustand'

export interface ConfirmQuestion {
  /** Unique for each opening of the dialog. */
  number: number
  /** Closes the dialog. `true` sends the pending requests again; `false` rejects them. */
  answer: (isConfirmed: boolean) => void
}

export const useConfirmQuestion = create<{ question: ConfirmQuestion | null }>(() => ({
  question: null,
}))

let pending: Promise<boolean> | null = null
let count = 0

/**
 * Opens the dialog, unless it is already open. Resolves to true when the user confirms, to false when the user cancels.
 */
export function requestConfirmation(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    const answer = (isConfirmed: boolean) => {
      pending = null
      useConfirmQuestion.setState({ question: null })
      resolve(isConfirmed)
    }
    useConfirmQuestion.setState({ question: { number: ++count, answer } })
  })
  return pending
}
