// The Email tab of the settings: mail server, queue, and DNS records of the sender's domain.
import { useQuery } from '@tanstack/react-query'
import { getMailSettings } from '#contract/admin/service/admin-mail.ts'
import { call } from '../../base/api/api.ts'
import { errorText } from '../../base/api/show-error.ts'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { BouncesCard } from './bounces-card.tsx'
import { DomainChecks } from './domain-checks.tsx'
import { FigureMailsCard } from './figure-mails-card.tsx'
import { MailTextCard } from './mail-text-card.tsx'
import { MailServerForm } from './mail-server-form.tsx'
import { MailStateCard } from './mail-state-card.tsx'
import styles from './mail.module.css'

export function MailTab() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'mail', 'settings'],
    queryFn: ({ signal }) => call(getMailSettings, {}, { signal }),
    gcTime: 0,
  })
  if (data) {
    return (
      <div className={styles.tab}>
        <MailStateCard settings={data} />
        <MailServerForm settings={data} />
        <DomainChecks key={`${data.sender} ${data.dkim_selector} ${data.host}`} />
        <BouncesCard />
        <MailTextCard />
        <FigureMailsCard />
      </div>
    )
  }
  if (error) {
    return (
      <ErrorState
        title="Failed to load the email settings"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <div className={styles.tab} aria-busy="true">
      <Skeleton height="7rem" />
      <Skeleton height="4.5rem" />
      <Skeleton height="4.5rem" />
    </div>
  )
}
