// Checks the DNS records of the sender's domain that affect delivery, and shows which values to set.
import { useQuery } from '@tanstack/react-query'
import {
  checkMailDomain,
  type DomainCheck,
  type DomainCheckState,
} from '#contract/admin/service/admin-mail.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Badge, type BadgeProps } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { CopiedFact } from '../../features/keys/copied-fact.tsx'
import styles from './mail.module.css'

export function DomainChecks() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'mail', 'domain'],
    queryFn: ({ signal }) => call(checkMailDomain, {}, { signal }),
    // Never repeat a check automatically, because each one sends DNS queries.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <Card
      title="Email deliverability"
      description={
        data
          ? `DNS records that receiving servers check for ${data.domain}.`
          : 'DNS records that receiving servers check.'
      }
      actions={
        <Button busy={isFetching} onClick={() => void refetch()}>
          Check Again
        </Button>
      }
    >
      {error ? (
        <ErrorState
          title="Failed to check the domain"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <ul className={styles.checks}>
          {data.checks.map((check) => (
            <CheckRow key={check.check} check={check} />
          ))}
        </ul>
      ) : (
        <Skeleton height="9rem" />
      )}
    </Card>
  )
}

const names: Record<DomainCheck['check'], string> = { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' }

const states: Record<DomainCheckState, { tone: BadgeProps['tone']; label: string }> = {
  good: { tone: 'success', label: 'Valid' },
  weak: { tone: 'warning', label: 'Weak' },
  wrong: { tone: 'danger', label: 'Invalid' },
  missing: { tone: 'danger', label: 'Missing' },
  unknown: { tone: 'neutral', label: 'Unknown' },
}

function CheckRow({
  check: { check, name, state, message, found, record },
}: {
  check: DomainCheck
}) {
  const { tone, label } = states[state]
  return (
    <li className={styles.check}>
      <h3>
        {names[check]} <Badge tone={tone}>{label}</Badge>
      </h3>
      <p>{message}</p>
      {found.map((value) => (
        <p key={value} className={styles.reply}>
          {value}
        </p>
      ))}
      {record && (
        <dl className={styles.record}>
          <CopiedFact name="Name (TXT)" value={name} />
          <CopiedFact name="Value" value={record} />
        </dl>
      )}
    </li>
  )
}
