// The ledger of one user: payments, refunds, and a form to add an entry. Entries can't be changed afterwards.
import { useId, useState, type FormEvent } from 'react'
import {
  paymentKinds,
  type Payment,
  type PaymentKind,
  type Subscription,
} from '#contract/admin/admin-billing.ts'
import { voidReceipt } from '#contract/admin/money/admin-receipts.ts'
import { call } from '../../base/api/api.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { Sheet } from '../../base/ui/overlays/sheet.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { errorText } from '../../base/api/show-error.ts'
import { formatDay } from '../shared/format/format-moment.ts'
import {
  formatAmount,
  getDecimals,
  formatMoney,
  parseAmount,
  getAmountStep,
} from '#contract/currencies.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { usePersonPayments } from '../people/person-queries.ts'
import { sendBillingAction, paymentMethodOptions, useCurrency } from '../people/billing-queries.ts'
import { RefundDialog } from './refund-dialog.tsx'
import styles from './payments-sheet.module.css'

const kindOptions = paymentKinds.map((value) => ({ value, label: getKindLabel(value) }))

export interface PaymentsSheetProps {
  /** The user's subscription. Null while the sheet is closed. */
  row: Pick<Subscription, 'user_id' | 'email'> | null
  onClose: () => void
}

export function PaymentsSheet({ row, onClose }: PaymentsSheetProps) {
  const shown = useLast(row)
  return (
    <Sheet open={row !== null} onClose={onClose} title="Payments">
      {shown && <UserPayments key={shown.user_id} row={shown} />}
    </Sheet>
  )
}

function UserPayments({ row }: { row: Pick<Subscription, 'user_id' | 'email'> }) {
  const payments = usePersonPayments(row.user_id)
  return (
    <>
      <p className={styles.email}>{row.email}</p>
      {payments.data ? (
        <PaymentList payments={payments.data} />
      ) : payments.error ? (
        <ErrorState
          title="Failed to load payments"
          message={errorText(payments.error)}
          busy={payments.isFetching}
          onRetry={() => void payments.refetch()}
        />
      ) : (
        <Skeleton height="6rem" />
      )}
      {/* Rendered after the list above it has loaded, to avoid a layout shift. */}
      {!payments.isPending && <PaymentForm userId={row.user_id} />}
    </>
  )
}

export function PaymentList({ payments }: { payments: Payment[] }) {
  const [refunding, setRefunding] = useState<Payment | null>(null)
  if (payments.length === 0) return <p className={styles.none}>No payments yet.</p>
  return (
    <>
      <ul className={styles.list}>
        {payments.map((payment) => (
          <li key={payment.id}>
            <span className={styles.amount}>
              {formatMoney(payment.amount_cents, payment.currency)}
            </span>
            <span>
              {getKindLabel(payment.kind)}, {getMethodLabel(payment.payment_method)}
              {payment.is_simulated && <Badge>Test</Badge>}
              {payment.refunded_cents > 0 && (
                <Badge>
                  {payment.refunded_cents < payment.amount_cents
                    ? 'Partially refunded'
                    : 'Refunded'}
                </Badge>
              )}
            </span>
            {payment.is_refundable && payment.refunded_cents < payment.amount_cents && (
              <Button
                size="small"
                variant="quiet"
                aria-label={`Refund ${formatMoney(payment.amount_cents, payment.currency)} from ${formatDay(payment.paid_at)}`}
                onClick={() => setRefunding(payment)}
              >
                Refund
              </Button>
            )}
            {payment.receipt_number !== null && (
              <ReceiptLink payment={payment} number={payment.receipt_number} />
            )}
            <time dateTime={payment.paid_at}>{formatDay(payment.paid_at)}</time>
          </li>
        ))}
      </ul>
      <RefundDialog payment={refunding} onClose={() => setRefunding(null)} />
    </>
  )
}

/** A link to the receipt of a payment, and a button that voids the receipt. */
function ReceiptLink({ payment, number }: { payment: Payment; number: number }) {
  const [isConfirmOpen, setIsConfirmOpen] = useState(false)
  const voiding = useAdminMutation({
    run: () => call(voidReceipt, { params: { receipt_number: number } }),
    refresh: ['billing', 'insights'],
    done: ({ data }) => `Receipt ${number} voided and replaced by receipt ${data.number}`,
    onDone: () => setIsConfirmOpen(false),
    failed: 'Failed to void the receipt',
  })
  const canVoid = payment.voided_by === null && payment.amount_cents > 0
  return (
    <span className={styles.receipt}>
      <ScreenLink to={`/receipts/${number}`}>Receipt {number}</ScreenLink>
      {payment.voided_by !== null && <Badge>Void</Badge>}
      {canVoid && (
        <Button
          size="small"
          variant="quiet"
          aria-label={`Void receipt ${number}`}
          onClick={() => setIsConfirmOpen(true)}
        >
          Void
        </Button>
      )}
      <ConfirmDialog
        open={isConfirmOpen}
        title={`Void Receipt ${number}`}
        message="A correction is added to the ledger, and a new receipt is issued. No entry is deleted, and the plan does not change."
        confirmLabel="Void"
        cancelLabel="Keep Receipt"
        busy={voiding.isPending}
        onConfirm={() => voiding.mutate()}
        onCancel={() => setIsConfirmOpen(false)}
      />
    </span>
  )
}

interface Entry {
  kind: PaymentKind
  amount: string
  payment_method: (typeof paymentMethodOptions)[number]['value']
}

/** Returns the example in the empty amount field, about the price of one month in the smallest unit. */
const exampleAmount = (currency: string) =>
  getDecimals(currency) === 0 ? 980 : 999 * getAmountStep(currency)

const emptyEntry: Entry = { kind: 'payment', amount: '', payment_method: 'cash' }

function PaymentForm({ userId }: { userId: string }) {
  const headingId = useId()
  const currency = useCurrency()
  const example = formatAmount(exampleAmount(currency), currency)
  const draft = useFormDraft({
    key: `payment:${userId}`,
    what: 'the ledger entry',
    saved: emptyEntry,
  })
  const { form: entry, setForm: setEntry } = draft
  const [problem, setProblem] = useState<string>()
  const saving = useAdminMutation<number>({
    run: (amount_cents) =>
      sendBillingAction({
        action: 'record_payment',
        user_id: userId,
        kind: entry.kind,
        amount_cents,
        currency,
        payment_method: entry.payment_method,
      }),
    refresh: ['billing', 'insights'],
    done: 'Entry added',
    onDone: draft.discard,
    failed: 'Failed to add the entry',
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    const cents = parseAmount(entry.amount, currency, { isSigned: entry.kind === 'correction' })
    setProblem(cents === null ? `Please enter an amount, such as ${example}.` : undefined)
    if (cents !== null && !saving.isPending) saving.mutate(cents)
  }
  return (
    <form className={styles.form} noValidate aria-labelledby={headingId} onSubmit={submit}>
      <h3 id={headingId}>Add an entry</h3>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <div className={styles.pair}>
        <Select
          label="Kind"
          options={kindOptions}
          value={entry.kind}
          onChange={({ target }) => setEntry({ ...entry, kind: target.value as PaymentKind })}
        />
        <TextField
          label={`Amount (${currency.toUpperCase()})`}
          inputMode="decimal"
          autoComplete="off"
          placeholder={example}
          value={entry.amount}
          error={problem}
          onChange={({ target }) => setEntry({ ...entry, amount: target.value })}
        />
      </div>
      <Select
        label="Payment Method"
        options={paymentMethodOptions}
        value={entry.payment_method}
        onChange={({ target }) =>
          setEntry({ ...entry, payment_method: target.value as typeof entry.payment_method })
        }
      />
      <p className={styles.hint}>
        An entry moves no money and cannot be changed later. Card refunds appear here automatically.
      </p>
      <span>
        <Button type="submit" variant="primary" busy={saving.isPending}>
          Add Entry
        </Button>
      </span>
    </form>
  )
}

function getKindLabel(kind: PaymentKind): string {
  return { payment: 'Payment', refund: 'Refund', correction: 'Correction' }[kind]
}

function getMethodLabel(method: Payment['payment_method']): string {
  if (method === 'stripe') return 'Stripe'
  return paymentMethodOptions.find(({ value }) => value === method)?.label ?? method
}
