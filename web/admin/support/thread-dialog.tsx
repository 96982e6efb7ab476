// Dialog with a message, its replies, and a form to reply.
import { useState, type FormEvent } from 'react'
import type { AdminThread } from '#contract/admin/service/admin-support.ts'
import { supportTextMaxLength } from '#contract/support.ts'
import { errorText } from '../../base/api/show-error.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { ThreadView } from '../../features/support/thread-view.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { PersonLink } from '../shared/person-link.tsx'
import { PriorityBadge } from './support-badges.tsx'
import { useReply, useChangeThread, useThread, type ReplyBody } from './support-queries.ts'
import styles from './support-screen.module.css'

export interface ThreadDialogProps {
  id: string
  onClose: () => void
}

export function ThreadDialog({ id, onClose }: ThreadDialogProps) {
  const thread = useThread(id)
  return (
    <Dialog open onClose={onClose} title={thread.data?.subject ?? 'Message'}>
      {thread.data ? (
        <OpenThread thread={thread.data} onClose={onClose} />
      ) : thread.error ? (
        <ErrorState
          title="Failed to load the message"
          message={errorText(thread.error)}
          busy={thread.isFetching}
          onRetry={() => void thread.refetch()}
        />
      ) : (
        <Skeleton height="12rem" />
      )}
    </Dialog>
  )
}

function OpenThread({ thread, onClose }: { thread: AdminThread; onClose: () => void }) {
  const { id, user, state, priority, messages } = thread
  const changing = useChangeThread(id)
  const name = user.display_name || user.email
  return (
    <div className={styles.thread}>
      <div className={styles.who}>
        <PersonLink id={user.id} email={user.email} name={user.display_name} />
        <PriorityBadge priority={priority} />
        <Button
          size="small"
          variant="quiet"
          busy={changing.isPending}
          onClick={() => changing.mutate(state === 'closed' ? 'open' : 'closed')}
        >
          {state === 'closed' ? 'Reopen' : 'Mark as Closed'}
        </Button>
      </div>
      <ThreadView
        messages={messages}
        nameOf={({ is_answer, admin_name }) => (is_answer ? admin_name : name)}
      />
      <AnswerForm id={id} onSent={onClose} />
    </div>
  )
}

const emptyReply: ReplyBody = { text: '', closes: false }

function AnswerForm({ id, onSent }: { id: string; onSent: () => void }) {
  const [problem, setProblem] = useState<string>()
  const { form, setForm, ...draft } = useFormDraft({
    key: `answer:${id}`,
    what: 'the reply',
    saved: emptyReply,
  })
  const sending = useReply(id, () => {
    draft.discard()
    onSent()
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const isEmpty = form.text.trim() === ''
    setProblem(isEmpty ? 'Please enter a reply' : undefined)
    if (!isEmpty && !sending.isPending) sending.mutate(form)
  }
  return (
    <form className={styles.answer} noValidate onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <TextArea
        data-autofocus
        label="Reply"
        hint="The member receives it by email and can read it in their profile."
        rows={5}
        maxLength={supportTextMaxLength}
        value={form.text}
        error={problem}
        onChange={({ target }) => setForm({ ...form, text: target.value })}
      />
      <Checkbox
        label="Close the message with this reply"
        checked={form.closes}
        onChange={({ target }) => setForm({ ...form, closes: target.checked })}
      />
      <div>
        <Button type="submit" variant="primary" busy={sending.isPending}>
          Send Reply
        </Button>
      </div>
    </form>
  )
}
