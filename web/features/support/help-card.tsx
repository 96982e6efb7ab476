// The Help card on the profile: the member writes to the owner and reads the answers.
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import {
  addSupportMessage,
  createSupportThread,
  listSupportThreads,
  supportSubjectMaxLength,
  supportTextMaxLength,
  type SupportThread,
} from '#contract/support.ts'
import { call } from '../../base/api/api.ts'
import { errorText, showError } from '../../base/api/show-error.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { useSession } from '../../base/session/session.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { TextArea } from '../../base/ui/controls/text-area.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { ThreadView } from './thread-view.tsx'
import styles from './support.module.css'

const threadsKey = ['support'] as const

export function HelpCard() {
  const place = useRef<HTMLDivElement>(null)
  const { user } = useSession()
  const hasPriority = user?.is_premium && user.subscription_tier === 'yearly'
  // Scroll to the card if the URL has its hash, as links in emails do.
  useEffect(() => {
    if (location.hash === '#help') place.current?.scrollIntoView()
  }, [])
  return (
    <div ref={place} id="help">
      <Card
        title="Help"
        description={
          hasPriority
            ? 'Write to us. With your yearly plan, we answer your messages first.'
            : 'Write to us. You will get the answer here and by email.'
        }
      >
        <div className={styles.help}>
          <NewMessage />
          <Threads />
        </div>
      </Card>
    </div>
  )
}

const emptyMessage = { subject: '', text: '' }

function NewMessage() {
  const queryClient = useQueryClient()
  const { form, setForm, ...draft } = useFormDraft({
    key: 'support:new',
    what: 'the message',
    saved: emptyMessage,
  })
  const { form: element, problems, showProblems } = useProblems<typeof emptyMessage>()
  const sending = useMutation({
    mutationFn: () => call(createSupportThread, { body: form }),
    onSuccess() {
      draft.discard()
      showToast({ tone: 'success', title: 'Message sent' })
      return queryClient.invalidateQueries({ queryKey: threadsKey })
    },
    onError: (error) => showError(error, 'Failed to send the message'),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const found = {
      subject: form.subject.trim() ? undefined : 'Subject is required',
      text: form.text.trim() ? undefined : 'Please write a message',
    }
    if (!showProblems(found) && !sending.isPending) sending.mutate()
  }
  return (
    <form ref={element} className={styles.form} noValidate onSubmit={submit}>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <TextField
        label="Subject"
        maxLength={supportSubjectMaxLength}
        value={form.subject}
        error={problems.subject}
        onChange={({ target }) => setForm({ ...form, subject: target.value })}
      />
      <TextArea
        label="Message"
        rows={4}
        maxLength={supportTextMaxLength}
        value={form.text}
        error={problems.text}
        onChange={({ target }) => setForm({ ...form, text: target.value })}
      />
      <div>
        <Button type="submit" variant="primary" busy={sending.isPending}>
          Send Message
        </Button>
      </div>
    </form>
  )
}

function Threads() {
  const threads = useQuery({
    queryKey: threadsKey,
    queryFn: ({ signal }) => call(listSupportThreads, {}, { signal }),
  })
  if (threads.error) {
    return (
      <ErrorState
        title="Your messages could not be loaded"
        message={errorText(threads.error)}
        busy={threads.isFetching}
        onRetry={() => void threads.refetch()}
      />
    )
  }
  if (!threads.data) return <Skeleton height="3rem" />
  if (threads.data.data.length === 0) return null
  return (
    <section aria-label="Your messages" className={styles.threads}>
      {threads.data.data.map((thread) => (
        <Thread key={thread.id} thread={thread} />
      ))}
    </section>
  )
}

const stateLabels = {
  open: 'Waiting for an answer',
  answered: 'Answered',
  closed: 'Closed',
} as const

function Thread({ thread }: { thread: SupportThread }) {
  return (
    <details className={styles.thread} open={thread.state === 'answered'}>
      <summary className={styles.summary}>
        <span className={styles.subject}>{thread.subject}</span>
        <span className={styles.state}>{stateLabels[thread.state]}</span>
      </summary>
      <ThreadView
        messages={thread.messages}
        nameOf={({ is_answer }) => (is_answer ? null : 'You')}
      />
      <Reply id={thread.id} />
    </details>
  )
}

function Reply({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const { form, setForm, ...draft } = useFormDraft({
    key: `support:${id}`,
    what: 'the reply',
    saved: { text: '' },
  })
  const sending = useMutation({
    mutationFn: () => call(addSupportMessage, { params: { id }, body: form }),
    onSuccess() {
      draft.discard()
      return queryClient.invalidateQueries({ queryKey: threadsKey })
    },
    onError: (error) => showError(error, 'Failed to send the message'),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const isEmpty = form.text.trim() === ''
    setProblem(isEmpty ? 'Please write a message' : undefined)
    if (!isEmpty && !sending.isPending) sending.mutate()
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextArea
        label="Reply"
        rows={2}
        maxLength={supportTextMaxLength}
        value={form.text}
        error={problem}
        onChange={({ target }) => setForm({ text: target.value })}
      />
      <div>
        <Button type="submit" size="small" busy={sending.isPending}>
          Send Reply
        </Button>
      </div>
    </form>
  )
}
