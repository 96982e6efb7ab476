// The member's news settings: emails, notifications in this browser, and followed artists.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { releaseMails, type NewsPreferences, type ReleaseMail } from '#contract/news.ts'
import { errorText } from '../../base/api/show-error.ts'
import { FormNote } from '../../base/forms/form-note.tsx'
import { useSite } from '../../base/session/site.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { FollowedArtists } from './followed-artists.tsx'
import styles from './news-card.module.css'
import { newsPreferencesQuery, useChooseNews } from './news-queries.ts'
import { PushSetting } from './push-setting.tsx'

export function NewsCard() {
  const preferences = useQuery(newsPreferencesQuery)
  return (
    <div ref={useHashTarget('news')} className={styles.target}>
      <Card
        title="News"
        description="New music from artists that you follow, or from all artists. You receive only what you choose here."
      >
        {preferences.isPending && <Skeleton shape="text" width="70%" />}
        {preferences.isError && !preferences.data && (
          <ErrorState
            title="Your choices could not be loaded"
            message={errorText(preferences.error)}
            busy={preferences.isFetching}
            onRetry={() => void preferences.refetch()}
          />
        )}
        {preferences.data && <Choices preferences={preferences.data} />}
      </Card>
    </div>
  )
}

const mailLabels: Record<ReleaseMail, string> = {
  off: 'Off',
  each: 'For each release',
  weekly: 'Once a week, on Friday',
}

const problems: Record<NonNullable<NewsPreferences['mail_problem']>, string> = {
  unconfirmed:
    'Your email address is not confirmed, so no emails are sent yet. You can confirm it under Account Information.',
  suspended:
    'The last emails to your address were returned, so no more are sent. Please write to us when it works again.',
}

function Choices({ preferences }: { preferences: NewsPreferences }) {
  const { follows_everything, release_mail, announcements, mail_problem } = preferences
  const { brand_name } = useSite()
  const choose = useChooseNews()
  const isMailed = release_mail !== 'off' || announcements
  return (
    <div className={styles.parts}>
      {mail_problem && isMailed && <FormNote>{problems[mail_problem]}</FormNote>}
      <Select
        label="Emails about new music"
        value={release_mail}
        options={releaseMails.map((value) => ({ value, label: mailLabels[value] }))}
        onChange={({ target }) => choose.mutate({ release_mail: target.value as ReleaseMail })}
      />
      <PushSetting />
      <Switch
        label="Everything new"
        hint="All new music, not only from artists that you follow."
        checked={follows_everything}
        onChange={({ target }) => choose.mutate({ follows_everything: target.checked })}
      />
      <Switch
        label="Announcements"
        hint={`Occasional emails from ${brand_name} to its members.`}
        checked={announcements}
        onChange={({ target }) => choose.mutate({ announcements: target.checked })}
      />
      <FollowedArtists />
    </div>
  )
}

/** Scrolls to the element with this id when the URL has its hash, as links in emails do. */
function useHashTarget(name: string) {
  const { hash } = useLocation()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (hash === `#${name}`) ref.current?.scrollIntoView?.({ block: 'start' })
  }, [hash, name])
  return ref
}
