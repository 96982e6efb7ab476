// Card about bounced emails: which mailbox receives them, what was found in it, and a connection test.
import {
  testBounceMailbox,
  type BounceSettings,
  type MailboxFailure,
} from '#contract/admin/service/admin-bounces.ts'
import type { getBounceState } from '#contract/admin/service/admin-bounces.ts'
import type { Output } from '#contract/endpoint.ts'
import { mailboxFailureTexts } from '#contract/mail/bounce-mailbox.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { BounceMailboxForm } from './bounce-mailbox-form.tsx'
import { useBounceSettings, useBounceState } from './bounce-queries.ts'
import styles from './mail.module.css'

type TestResult = Output<typeof testBounceMailbox>

export function BouncesCard() {
  const settings = useBounceSettings()
  const isOn = settings.data !== undefined && settings.data.mailbox_source !== 'none'
  const test = useAdminMutation<void, TestResult>({
    run: () => call(testBounceMailbox, {}),
    refresh: [],
    failed: 'Failed to test the mailbox',
  })
  return (
    <Card
      title="Bounces"
      description="Undeliverable emails often bounce minutes later. The service reads these bounces from a mailbox and stops announcements to addresses that fail. A spam complaint stops announcements to that member."
      actions={
        isOn && (
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            Test Mailbox
          </Button>
        )
      }
    >
      {settings.error ? (
        <ErrorState
          title="Failed to load the bounce mailbox"
          message={errorText(settings.error)}
          busy={settings.isFetching}
          onRetry={() => void settings.refetch()}
        />
      ) : settings.data ? (
        <Loaded settings={settings.data} isOn={isOn} result={test.data} />
      ) : (
        <Skeleton height="14rem" />
      )}
    </Card>
  )
}

interface LoadedProps {
  settings: BounceSettings
  isOn: boolean
  result: TestResult | undefined
}

function Loaded({ settings, isOn, result }: LoadedProps) {
  return (
    <div className={styles.form}>
      {isOn ? (
        <State />
      ) : (
        <p>
          <Badge>Not set up</Badge> Only emails that the mail server rejects immediately are
          detected.
        </p>
      )}
      {result && <TestNote result={result} />}
      <BounceMailboxForm settings={settings} />
    </div>
  )
}

function State() {
  const { data, error, isFetching, refetch } = useBounceState(true)
  if (data) return <Figures state={data} />
  if (!error) return <Skeleton height="5rem" />
  return (
    <ErrorState
      title="Failed to load the bounce statistics"
      message={errorText(error)}
      busy={isFetching}
      onRetry={() => void refetch()}
    />
  )
}

function Figures({ state }: { state: Output<typeof getBounceState> }) {
  const { read_at, failed_at, failure } = state
  const figures = [
    ['Read', state.read],
    ['Bounced', state.bounced],
    ['Spam complaints', state.complaints],
    ['Ignored', state.ignored],
  ] as const
  return (
    <div className={styles.facts} aria-live="polite">
      <p>
        {failure ? (
          <Badge tone="danger">Failing</Badge>
        ) : read_at ? (
          <Badge tone="success">Ready</Badge>
        ) : (
          <Badge>Not read yet</Badge>
        )}{' '}
        {read_at
          ? `Last read ${formatMoment(read_at)}.`
          : 'The mailbox is read every five minutes.'}
      </p>
      <dl className={styles.figures}>
        {figures.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      <p className={textStyles.softSmall}>
        Ignored counts other emails, and reports about emails that this service did not send.
      </p>
      {failure && failed_at && (
        <div className={styles.failure}>
          <p>Last error, {formatMoment(failed_at)}. Emails are still sent.</p>
          <FailureText failure={failure} />
        </div>
      )}
    </div>
  )
}

function TestNote({ result: { mails, failure } }: { result: TestResult }) {
  return (
    <div className={failure ? styles.failure : styles.success} role="status">
      <p>
        {failure
          ? 'The mailbox could not be opened.'
          : `The mailbox can be read. It contains ${formatCount(mails ?? 0, 'email', 'emails')}.`}
      </p>
      {failure && <FailureText failure={failure} />}
    </div>
  )
}

function FailureText({ failure: { reason, reply } }: { failure: MailboxFailure }) {
  return (
    <>
      <p>{mailboxFailureTexts[reason]}</p>
      {reply && <p className={styles.reply}>{reply}</p>}
    </>
  )
}
