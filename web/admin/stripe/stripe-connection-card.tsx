// Card about the connected Stripe account: its name, key and webhook.
import { useState, type ReactNode } from 'react'
import type { StripeConnection } from '#contract/admin/money/admin-stripe.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import textStyles from '../../base/ui/layout/text.module.css'
import { formatMoment } from '../shared/format/format-moment.ts'
import { KeyDetails } from './key-details.tsx'
import { StripeKeyForm } from './stripe-key-form.tsx'
import { useCheckKey, useConnection, useRemoveKey } from './stripe-queries.ts'
import styles from './stripe.module.css'
import { describeStripeUse, isInUse } from './stripe-texts.ts'
import { WebhookPart } from './webhook-part.tsx'

export function StripeConnectionCard() {
  const { data, error, isFetching, refetch } = useConnection()
  return (
    <Card title="Your Stripe Account">
      {data ? (
        <Connection connection={data} />
      ) : error ? (
        <ErrorState
          title="Failed to load the connection to Stripe"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton height="7rem" />
      )}
    </Card>
  )
}

function Connection({ connection }: { connection: StripeConnection }) {
  const [isReplacing, setIsReplacing] = useState(false)
  const { key_source } = connection
  const isShown = key_source === 'none' || isReplacing
  return (
    <div className={styles.parts}>
      <KeyState connection={connection} />
      {key_source === 'environment' && <EnvironmentKey />}
      {key_source === 'saved' && !isReplacing && (
        <SavedKeyButtons connection={connection} onReplace={() => setIsReplacing(true)} />
      )}
      {isShown && (
        <StripeKeyForm
          onDone={() => setIsReplacing(false)}
          onCancel={isReplacing ? () => setIsReplacing(false) : undefined}
        />
      )}
      <WebhookPart connection={connection} />
    </div>
  )
}

function KeyState({ connection }: { connection: StripeConnection }) {
  const { key_source, is_key_lost, set_at } = connection
  if (key_source === 'none') {
    return (
      <p className={textStyles.soft}>
        <Badge tone="warning">Not connected</Badge> Members cannot pay yet. In the Stripe dashboard,
        go to Developers, API keys, copy the secret key or a restricted key, and paste it here.
      </p>
    )
  }
  if (is_key_lost) {
    return (
      <p role="alert">
        <Badge tone="danger">Key lost</Badge> The stored key cannot be decrypted because SECRET was
        changed on the server. Enter the key again.
      </p>
    )
  }
  return (
    <>
      <KeyDetails facts={connection} isConnected />
      {set_at && (
        <p className={textStyles.softSmall}>
          Entered {formatMoment(set_at)}. The key is never shown again.
        </p>
      )}
    </>
  )
}

function EnvironmentKey() {
  const check = useCheckKey()
  return (
    <>
      <p className={textStyles.softSmall}>
        Set by the environment variable STRIPE_SECRET_KEY. Change it there, or remove it there to
        enter a key here.
      </p>
      <CheckButton check={check} />
    </>
  )
}

function SavedKeyButtons({
  connection,
  onReplace,
}: {
  connection: StripeConnection
  onReplace: () => void
}) {
  const [isConfirmOpen, setIsConfirmOpen] = useState(false)
  const removing = useRemoveKey(() => setIsConfirmOpen(false))
  const check = useCheckKey()
  const { in_use } = connection
  return (
    <>
      <CheckButton check={check}>
        <Button onClick={onReplace}>Replace Key</Button>
        <Button disabled={isInUse(in_use)} onClick={() => setIsConfirmOpen(true)}>
          Remove Key
        </Button>
      </CheckButton>
      {isInUse(in_use) && (
        <p className={textStyles.softSmall}>
          The key cannot be removed yet: {describeStripeUse(in_use)}
        </p>
      )}
      <ConfirmDialog
        open={isConfirmOpen}
        title="Remove the key?"
        message="Members can no longer buy Premium or gifts, and open payment pages are closed. You can no longer manage prices, promotion codes and refunds here, and members cannot open the customer portal. The webhook endpoint is removed from Stripe. Past payments remain in the ledger."
        confirmLabel="Remove Key"
        cancelLabel="Keep Key"
        busy={removing.isPending}
        onConfirm={() => removing.mutate()}
        onCancel={() => setIsConfirmOpen(false)}
      />
    </>
  )
}

function CheckButton({
  check,
  children,
}: {
  check: ReturnType<typeof useCheckKey>
  children?: ReactNode
}) {
  return (
    <>
      <div className={styles.buttons}>
        <Button busy={check.isPending} onClick={() => check.mutate(undefined)}>
          Check Key
        </Button>
        {children}
      </div>
      {check.data && (
        <div className={styles.note} role="status">
          <p>Stripe accepted the key.</p>
          <KeyDetails facts={check.data} />
        </div>
      )}
    </>
  )
}
