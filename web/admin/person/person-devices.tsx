// Lists the sessions of a person, with buttons to end them.
import { IconDeviceDesktop, IconDeviceMobile, IconLogout } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { endPersonSession, endPersonSessions } from '#contract/admin/admin-people.ts'
import type { Session } from '#contract/sessions.ts'
import { call } from '../../base/api/api.ts'
import { describeDevice } from '#contract/describe-device.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { formatDay } from '../shared/format/format-moment.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import { useLast } from '../shared/lists/use-last.ts'
import { PersonCard } from './person-card.tsx'
import styles from './person-card.module.css'
import { usePersonSessions } from '../people/person-queries.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function PersonDevices({ user }: { user: { id: string; email: string } }) {
  const sessions = usePersonSessions(user.id)
  /** The session to end after confirmation, or 'all' for every session. */
  const [pendingEnd, setPendingEnd] = useState<Session | 'all' | null>(null)
  const shown = useLast(pendingEnd)
  const ending = useAdminMutation<Session | 'all'>({
    run: (which) =>
      which === 'all'
        ? call(endPersonSessions, { params: { id: user.id } })
        : call(endPersonSession, { params: { id: user.id, session_id: which.id } }),
    refresh: ['users'],
    done: (_, which) => (which === 'all' ? 'Signed out everywhere' : 'Device signed out'),
    onDone: () => setPendingEnd(null),
    failed: 'Failed to sign this person out',
  })
  const device = shown !== null && shown !== 'all' ? describeDevice(shown.user_agent).name : ''
  return (
    <PersonCard
      title="Devices"
      query={sessions}
      actions={
        (sessions.data?.data.length ?? 0) > 1 && (
          <Button size="small" icon={<IconLogout />} onClick={() => setPendingEnd('all')}>
            Sign Out Everywhere
          </Button>
        )
      }
    >
      {({ data }) => (
        <>
          {data.length === 0 && <p className={textStyles.soft}>Not signed in anywhere.</p>}
          <ul className={styles.list}>
            {data.map((session) => (
              <DeviceRow key={session.id} session={session} onAsk={() => setPendingEnd(session)} />
            ))}
          </ul>
          <ConfirmDialog
            open={pendingEnd !== null}
            title={shown === 'all' ? `Sign ${user.email} out everywhere?` : `Sign out ${device}?`}
            message="Playback there stops. They can sign in again with their password."
            confirmLabel={shown === 'all' ? 'Sign Out Everywhere' : 'Sign Out'}
            busy={ending.isPending}
            onConfirm={() => pendingEnd && ending.mutate(pendingEnd)}
            onCancel={() => setPendingEnd(null)}
          />
        </>
      )}
    </PersonCard>
  )
}

function DeviceRow({ session, onAsk }: { session: Session; onAsk: () => void }) {
  const { name, isHandheld } = describeDevice(session.user_agent)
  const Icon = isHandheld ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={styles.row}>
      <Icon className={styles.icon} aria-hidden="true" />
      <span className={layout.grow}>
        <span className={styles.cut}>
          {name} {session.is_current && <Badge>This device</Badge>}
        </span>
        <span className={`${styles.cut} ${styles.soft}`}>
          {session.ip_address ?? 'Unknown address'}, since {formatDay(session.created_at)}
        </span>
      </span>
      <IconButton
        size="small"
        label={`Sign out ${name}, since ${formatDay(session.created_at)}`}
        data-control="sign-out"
        onClick={onAsk}
      >
        <IconLogout />
      </IconButton>
    </li>
  )
}
