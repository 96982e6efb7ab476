// Shows that emails to the person were rejected or marked as spam, since when and why, with a button to resume sending.
import type { Person } from '#contract/admin/admin-people.ts'
import { resumeAddress } from '#contract/announcements.ts'
import { call } from '../../base/api/api.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { formatMoment } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './person-header.module.css'

interface PersonMailProps {
  person: Pick<Person, 'id' | 'mail_refusal' | 'mail_complaint_at'>
}

export function PersonMail({ person }: PersonMailProps) {
  const { id, mail_refusal, mail_complaint_at } = person
  return (
    <>
      {mail_refusal && <Refusal id={id} refusal={mail_refusal} />}
      {mail_complaint_at && (
        <div className={styles.request} role="note">
          <span>
            Marked an email as spam on <b>{formatMoment(mail_complaint_at)}</b>. Announcements to
            this person are off. Only they can turn them on again.
          </span>
        </div>
      )}
    </>
  )
}

interface RefusalProps {
  id: string
  refusal: NonNullable<Person['mail_refusal']>
}

function Refusal({ id, refusal }: RefusalProps) {
  const { source, refusals, refused_at, reason, is_suspended } = refusal
  const resuming = useAdminMutation({
    run: () => call(resumeAddress, { params: { id } }),
    refresh: ['users', 'announcements'],
    done: 'Emails to this address resumed',
    failed: 'Failed to clear the address',
  })
  const mails = formatCount(refusals, 'email', 'emails')
  return (
    <div className={styles.request} role="note">
      <span>
        {source === 'bounce' ? `${mails} bounced` : `The mail server rejected ${mails}`}, last on{' '}
        <b>{formatMoment(refused_at)}</b>: “{reason}”.
        {is_suspended && ' Announcements to this address are suspended.'}
      </span>
      <span className={styles.buttons}>
        <Button size="small" busy={resuming.isPending} onClick={() => resuming.mutate()}>
          {is_suspended ? 'Resume Emails' : 'Clear'}
        </Button>
      </span>
    </div>
  )
}
