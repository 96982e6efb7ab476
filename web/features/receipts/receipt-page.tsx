// The screen /receipts/:number, with the receipt for a manually recorded payment, to read and print.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { formatMoney } from '#contract/currencies.ts'
import { getReceipt, type Receipt } from '#contract/receipts.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { formatEndDay } from '../../base/format/format-end-day.ts'
import { formatDay } from '../../base/format/format-day.ts'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import styles from './receipt-page.module.css'

const methodLabels: Record<Receipt['payment_method'], string> = {
  cash: 'Cash',
  check: 'Check',
  cashapp: 'CashApp',
  zelle: 'Zelle',
  other: 'Other',
}

export function ReceiptPage() {
  const { number = '' } = useParams()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['receipts', number],
    queryFn: async ({ signal }) =>
      (await call(getReceipt, { params: { receipt_number: Number(number) } }, { signal })).data,
  })
  if (error) {
    return (
      <>
        <h1 className={styles.title}>Receipt {number}</h1>
        <ErrorState
          title="Failed to load the receipt"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      </>
    )
  }
  return data ? <ReceiptSheet receipt={data} /> : <Skeleton height="24rem" />
}

function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { brand_name } = useSite()
  const { number, amount_cents, currency, issuer, recipient, voids, voided_by } = receipt
  return (
    <article className={styles.sheet}>
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>Receipt {number}</h1>
          <p>{formatDay(receipt.issued_at)}</p>
        </div>
        <span className={styles.print}>
          <Button onClick={() => window.print()}>Print</Button>
        </span>
      </header>
      {voided_by !== null && (
        <p className={styles.void}>This receipt is void. It was canceled by receipt {voided_by}.</p>
      )}
      <div className={styles.parties}>
        <section>
          <h2>From</h2>
          <p className={styles.lines}>
            {[issuer.invoice_name || brand_name, issuer.invoice_address].filter(Boolean).join('\n')}
          </p>
          {issuer.invoice_tax_id && <p>Tax ID: {issuer.invoice_tax_id}</p>}
        </section>
        <section>
          <h2>To</h2>
          <p className={styles.lines}>{recipient}</p>
        </section>
      </div>
      <dl className={styles.facts}>
        <Fact name="For">{receipt.description}</Fact>
        {receipt.covers_from && receipt.covers_to && (
          <Fact name="Time">
            {formatDay(receipt.covers_from)} to{' '}
            {formatEndDay(receipt.covers_to, { dateStyle: 'medium' })}
          </Fact>
        )}
        <Fact name="Paid By">{methodLabels[receipt.payment_method]}</Fact>
        {voids !== null && <Fact name="Voids">Receipt {voids}</Fact>}
        <Fact name="Total">
          <strong>{formatMoney(amount_cents, currency)}</strong>
        </Fact>
      </dl>
      {issuer.invoice_footer && <p className={styles.lines}>{issuer.invoice_footer}</p>}
    </article>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
