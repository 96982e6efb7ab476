// Card with the number of queued emails, the last response of the mail server, and a button to send a test email.
import { useQuery } from '@tanstack/react-query'
import {
  getMailState,
  retryMails,
  sendTestMail,
  type MailSettings,
} from '#contract/admin/service/admin-mail.ts'
import type { Output } from '#contract/endpoint.ts'
import { mailFailureTexts } from '#contract/mail/mail-server.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './mail.module.css'

type MailState = Output<typeof getMailState>
type TestResult = Output<typeof sendTestMail>
type Failure = NonNullable<TestResult['failure']>

const refreshMs = 15_000

export function MailStateCard({ settings }: { settings: MailSettings }) {
  const isSetUp = settings.server_source !== 'none'
  const state = useQuery({
    queryKey: ['admin', 'mail', 'state'],
    queryFn: ({ signal }) => call(getMailState, {}, { signal }),
    refetchInterval: refreshMs,
  })
  const test = useAdminMutation<void, TestResult>({
    run: () => call(sendTestMail, {}),
    refresh: [],
    failed: 'Failed to send a test email',
  })
  const retry = useAdminMutation<void, Output<typeof retryMails>>({
    run: () => call(retryMails, {}),
    refresh: ['mail'],
    done: ({ retried }) => `Retrying ${formatCount(retried, 'email', 'emails')} now`,
    failed: 'Failed to retry',
  })
  const waits = state.data ? state.data.queued + state.data.kept : 0
  return (
    <Card
      title="Sending"
      actions={
        isSetUp && (
          <>
            {waits > 0 && (
              <Button busy={retry.isPending} onClick={() => retry.mutate()}>
                Retry Now
              </Button>
            )}
            <Button busy={test.isPending} onClick={() => test.mutate()}>
              Send Test Email
            </Button>
          </>
        )
      }
    >
      {state.error ? (
        <ErrorState
          title="Failed to load the email queue"
          message={errorText(state.error)}
          busy={state.isFetching}
          onRetry={() => void state.refetch()}
        />
      ) : state.data ? (
        <Facts state={state.data} isSetUp={isSetUp} />
      ) : (
        <Skeleton height="3rem" />
      )}
      {test.data && <TestNote result={test.data} />}
    </Card>
  )
}

function Facts({ state, isSetUp }: { state: MailState; isSetUp: boolean }) {
  const { queued, kept, sent_at, failed_at, failure } = state
  return (
    <div className={styles.facts} aria-live="polite">
      <p>
        {!isSetUp ? (
          <Badge tone="warning">Not set up</Badge>
        ) : failure ? (
          <Badge tone="danger">Failing</Badge>
        ) : (
          <Badge tone="success">Ready</Badge>
        )}{' '}
        {isSetUp
          ? sent_at
            ? `Last email sent ${formatMoment(sent_at)}.`
            : 'No email has been sent yet.'
          : 'Emails are written to the outbox folder, and their links are printed in the server log.'}
      </p>
      <p className={textStyles.softSmall}>{describeQueue(queued, kept)}</p>
      {failure && failed_at && (
        <div className={styles.failure}>
          <p>Last error, {formatMoment(failed_at)}:</p>
          <FailureText failure={failure} />
        </div>
      )}
    </div>
  )
}

function describeQueue(queued: number, kept: number): string {
  if (queued + kept === 0) return 'No emails are queued.'
  const parts = [
    ...(queued > 0
      ? [`${formatCount(queued, 'email is', 'emails are')} queued for the mail server.`]
      : []),
    ...(kept > 0
      ? [
          `${formatCount(kept, 'email', 'emails')} in the outbox folder can be sent with Retry Now after you set up a mail server.`,
        ]
      : []),
  ]
  return parts.join(' ')
}

function TestNote({ result: { to, failure } }: { result: TestResult }) {
  return (
    <div className={failure ? styles.failure : styles.success} role="status">
      <p>
        {failure
          ? `The test email to ${to} could not be sent.`
          : `The mail server accepted the test email. Check whether it arrives at ${to}.`}
      </p>
      {failure && <FailureText failure={failure} />}
    </div>
  )
}

function FailureText({ failure: { reason, reply } }: { failure: Failure }) {
  return (
    <>
      <p>{mailFailureTexts[reason]}</p>
      {reply && <p className={styles.reply}>{reply}</p>}
    </>
  )
}
