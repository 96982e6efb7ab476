// The account's sessions, with actions to end one or all of them.
import { useQuery } from '@tanstack/react-query'
import { IconDeviceDesktop, IconDeviceMobile, IconLogout } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useLogout } from '../../base/session/logout.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { describeDevice } from '#contract/describe-device.ts'
import styles from './session-list.module.css'
import { sessionsQuery, useEndAllSessions, useEndSession } from './session-queries.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

const shownAtFirst = 5

export function SessionList() {
  const sessions = useQuery(sessionsQuery)
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const [showsAll, setShowsAll] = useState(false)
  const endingAll = useEndAllSessions()
  return (
    <section ref={keepRowFocus} aria-labelledby="sessions-heading">
      <header className={layout.spreadWrap}>
        <div>
          <h3 id="sessions-heading" className={styles.heading}>
            Sessions
          </h3>
          <p className={textStyles.faintSmall}>Where your account is signed in.</p>
        </div>
        <Button size="small" icon={<IconLogout />} onClick={() => setConfirmOpen(true)}>
          Sign out everywhere
        </Button>
      </header>
      {sessions.isPending && <SessionsSkeleton />}
      {sessions.isError && (
        <ErrorState
          title="Your sessions could not be loaded"
          message={errorText(sessions.error)}
          busy={sessions.isFetching}
          onRetry={() => void sessions.refetch()}
        />
      )}
      {sessions.data && (
        <ul className={styles.sessions}>
          {currentFirst(sessions.data)
            .slice(0, showsAll ? undefined : shownAtFirst)
            .map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
        </ul>
      )}
      {sessions.data && sessions.data.length > shownAtFirst && !showsAll && (
        <Button size="small" variant="quiet" onClick={() => setShowsAll(true)}>
          Show all {sessions.data.length} sessions
        </Button>
      )}
      <ConfirmDialog
        open={isConfirmOpen}
        title="Sign out everywhere?"
        message="Every device is signed out, including this one. Music playing there stops."
        confirmLabel="Sign Out Everywhere"
        busy={endingAll.isPending}
        onConfirm={() => endingAll.mutate()}
        onCancel={() => setConfirmOpen(false)}
      />
    </section>
  )
}

const currentFirst = (sessions: Session[]) =>
  sessions.toSorted((a, b) => Number(b.is_current) - Number(a.is_current))

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

function SessionRow({ session }: { session: Session }) {
  const { id, user_agent, ip_address, created_at, is_current } = session
  const { name, isHandheld } = describeDevice(user_agent)
  const ending = useEndSession()
  const logout = useLogout()
  const Icon = isHandheld ? IconDeviceMobile : IconDeviceDesktop
  const since = moment.format(new Date(created_at))
  return (
    <li className={styles.session}>
      <Icon className={styles.icon} aria-hidden="true" />
      <div className={layout.grow}>
        <p className={styles.name}>
          {name} {is_current && <Badge tone="success">This device</Badge>}
        </p>
        <p className={textStyles.faintSmall}>
          Signed in <time dateTime={created_at}>{since}</time>
          {ip_address && ` from ${ip_address}`}
        </p>
      </div>
      <Button
        size="small"
        variant="quiet"
        aria-label={`Sign out ${name}, signed in ${since}`}
        // Without this attribute, this device's button never gets the focus after another session was ended by key.
        data-control={is_current ? undefined : 'sign-out'}
        busy={ending.isPending || logout.isPending}
        onClick={() => (is_current ? logout.mutate() : ending.mutate(id))}
      >
        Sign out
      </Button>
    </li>
  )
}

function SessionsSkeleton() {
  return (
    <div className={styles.sessions} aria-busy="true">
      {[0, 1].map((row) => (
        <div key={row} className={styles.session}>
          <Skeleton shape="circle" width="1.5rem" height="1.5rem" />
          <div className={layout.grow}>
            <Skeleton shape="text" width="40%" />
            <Skeleton shape="text" width="60%" />
          </div>
        </div>
      ))}
    </div>
  )
}
