// The General tab: preview length, devices per account, AI disclosure, maintenance mode, two-factor for admins.
import type { FormEvent } from 'react'
import { maxNewsMailsPerMinute, maxStreams } from '#contract/admin/admin-settings.ts'
import { isAudience } from '#contract/fields/availability.ts'
import { useSession } from '../../base/session/session.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { audienceOptions } from '../availability/availability-fields.tsx'
import { disclosureOptions, isAiDisclosure } from '../tracks/track-form.ts'
import { NumberSetting } from './number-setting.tsx'
import { PreviewProgress } from './preview-progress.tsx'
import type { SettingsForm } from './settings-form.ts'
import styles from './settings-screen.module.css'

export interface SettingsTabProps {
  form: SettingsForm
  onChange: (changes: Partial<SettingsForm>) => void
  /** Called when Enter is pressed in a field. */
  onSubmit: (event: FormEvent) => void
}

export function GeneralTab({ form, onChange, onSubmit }: SettingsTabProps) {
  const isOwnMissing = useSession().user?.two_factor_enabled === false
  return (
    <form className={styles.fields} noValidate onSubmit={onSubmit}>
      <NumberSetting
        {...{ form, onChange }}
        name="preview_length_seconds"
        label="Preview Length (seconds)"
        min={1}
        max={600}
        hint="A new length re-creates all previews in the background."
      />
      <PreviewProgress />
      <NumberSetting
        {...{ form, onChange }}
        name="streams_free"
        label="Simultaneous Devices, Free"
        min={1}
        max={maxStreams}
        hint="How many devices of one account can play at the same time. Starting another one pauses the oldest. Tabs in one browser count as one device."
      />
      <NumberSetting
        {...{ form, onChange }}
        name="streams_premium"
        label="Simultaneous Devices, Premium"
        min={1}
        max={maxStreams}
      />
      <NumberSetting
        {...{ form, onChange }}
        name="news_mails_per_minute"
        label="News Emails per Minute"
        min={1}
        max={maxNewsMailsPerMinute}
        hint="Emails about releases and announcements. If too many are sent at the same time, other mail servers may treat them as spam, especially with your own mail server."
      />
      <Select
        label="Default Disclosure"
        hint="The AI disclosure of new uploads. Can be changed for each track."
        options={disclosureOptions}
        value={form.default_ai_disclosure}
        onChange={({ target }) =>
          isAiDisclosure(target.value) && onChange({ default_ai_disclosure: target.value })
        }
      />
      <Select
        label="Audience for New Music"
        hint="Music open to everyone has a public page with its preview. Can be changed for each track, release and playlist."
        options={audienceOptions}
        value={form.default_audience}
        onChange={({ target }) =>
          isAudience(target.value) && onChange({ default_audience: target.value })
        }
      />
      <Switch
        label="Lyrics on Public Pages"
        hint="Visible to anyone, including search engines"
        checked={form.lyrics_on_pages}
        onChange={(event) => onChange({ lyrics_on_pages: event.target.checked })}
      />
      <Switch
        label="Maintenance Mode"
        hint="Prevent non-admin users from accessing the app"
        checked={form.maintenance_mode}
        onChange={(event) => onChange({ maintenance_mode: event.target.checked })}
      />
      <Switch
        label="Two-Factor for Admins"
        hint={
          isOwnMissing
            ? 'Admins need two-factor authentication to access the back office. Before you turn this on, set it up in your own profile.'
            : 'Admins need two-factor authentication to access the back office'
        }
        checked={form.admins_need_two_factor}
        disabled={isOwnMissing && !form.admins_need_two_factor}
        onChange={(event) => onChange({ admins_need_two_factor: event.target.checked })}
      />
    </form>
  )
}
