// Dialog with the details of a delivery: the request, each attempt with its response, and a button to send it again.
import type { WebhookAttempt, WebhookDeliveryDetail } from '#contract/admin/webhooks.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { CopyId } from '../shared/copy-id.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useResend, useWebhookDelivery } from './webhook-queries.ts'
import { describeAttempt, eventName, stateTones, stateLabels } from './webhook-labels.ts'
import styles from './webhooks-screen.module.css'

export function DeliveryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useWebhookDelivery(id)
  const resending = useResend()
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={data ? eventName(data.type) : 'Delivery'}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabled={!data}
            busy={resending.isPending}
            onClick={() => resending.mutate(id)}
          >
            Send Again
          </Button>
        </>
      }
    >
      {data ? (
        <Delivery delivery={data} />
      ) : error ? (
        <ErrorState
          title="Failed to load the delivery"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton height="12rem" />
      )}
    </Dialog>
  )
}

function Delivery({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { url, event_id, state, next_attempt_at, request_body, attempt_log } = delivery
  return (
    <>
      <dl className={styles.facts}>
        <dt>State</dt>
        <dd>
          <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>
        </dd>
        <dt>Address</dt>
        <dd>{url}</dd>
        <dt>Event ID</dt>
        <dd>
          <CopyId id={event_id} whole />
        </dd>
        {next_attempt_at !== null && (
          <>
            <dt>Next attempt</dt>
            <dd>{formatMoment(next_attempt_at)}</dd>
          </>
        )}
      </dl>
      <h3 className={styles.subheading}>Request</h3>
      <pre className={styles.code} tabIndex={0} aria-label="Request body">
        {JSON.stringify(JSON.parse(request_body), null, 2)}
      </pre>
      <h3 className={styles.subheading}>Attempts</h3>
      {attempt_log.length === 0 && <p className={styles.since}>No attempts yet.</p>}
      <ol className={styles.attempts} reversed>
        {attempt_log.map((attempt) => (
          <Attempt key={attempt.number} attempt={attempt} />
        ))}
      </ol>
    </>
  )
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { number, started_at, duration_ms, response_status, response_body, error } = attempt
  const isOpen = duration_ms === null && error === null
  return (
    <li className={styles.attempt}>
      <span>
        {number}. <time dateTime={started_at}>{formatMoment(started_at)}</time>
        {': '}
        {isOpen ? 'In progress, or interrupted by a server stop.' : describeAttempt(attempt)}
      </span>
      {response_status !== null && error !== null && <span>{error}</span>}
      {response_body && (
        <pre className={styles.code} tabIndex={0} aria-label={`Response to attempt ${number}`}>
          {response_body}
        </pre>
      )}
    </li>
  )
}
