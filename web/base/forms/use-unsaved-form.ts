// Handles unsaved work in a form. The form asks before it closes, stores a draft on this device until the changes are
// saved or discarded, and stays mounted when the session ends.
import { useEffect, useEffectEvent, useState } from 'react'
import { useCloseGuard } from '../ui/overlays/close-guard.ts'
import { dropDraft, flushDraft, readDraft, scheduleDraft } from '../unsaved-work/stored-drafts.ts'
import { confirmLeaving } from '../unsaved-work/leave-question.ts'
import { useSession } from '../session/session.ts'
import { releaseWork, useUnsavedWork, useUnsavedWorks } from '../unsaved-work/unsaved-work.ts'

export interface UnsavedForm<Data> {
  /** Identifies the form and the edited item: 'playlist:{id}'. */
  key: string
  /** Names the item in questions to the user: 'this playlist'. */
  what: string
  isUnsaved: boolean
  /** The draft's content: plain data with a stable identity until it changes. */
  data: Data
}

/** Returns this user's draft of this form, read once when the form opens. */
export function useKeptDraft<Data>(key: string): Data | null {
  const userId = useSession().user?.id
  const [draft] = useState(() => (userId ? (readDraft(userId, key) as Data | null) : null))
  return draft
}

/**
 * Registers a form's unsaved work and stores its draft. Call `saved` after a save or discard, before the screen or
 * dialog closes.
 */
export function useUnsavedForm<Data>({ key, what, isUnsaved, data }: UnsavedForm<Data>) {
  const currentUserId = useSession().user?.id
  // Set once, at mount: the next user who signs in to this window must not get the draft.
  const [userId] = useState(currentUserId)
  const drop = () => {
    if (userId) dropDraft(userId, key)
  }
  useUnsavedWork({ key, what, isUnsaved, discard: drop })

  const keep = useEffectEvent(() => {
    if (userId && isUnsaved) scheduleDraft(userId, key, data)
    else drop()
  })
  useEffect(() => keep(), [data, isUnsaved, key])
  useEffect(() => () => void (userId && flushDraft(userId, key)), [userId, key])

  function confirmAndClose(close: () => void) {
    const works = useUnsavedWorks.getState().works.filter((work) => work.key === key)
    if (works.length === 0) return close()
    void confirmLeaving(works).then((answer) => answer !== 'stay' && close())
  }
  useCloseGuard(isUnsaved, confirmAndClose)
  return {
    /** Closes a form outside a dialog, for its Cancel button. Asks for confirmation if there are unsaved changes. */
    leave: confirmAndClose,
    saved() {
      drop()
      releaseWork(key)
    },
  }
}
