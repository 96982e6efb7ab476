// General settings: preview length, devices per account, disclosure, maintenance mode, two-factor for admins.
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
  /** Called on Enter in a field. */
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
        hint="A new length cuts all previews again, in the background."
      />
      <PreviewProgress />
      <NumberSetting
        {...{ form, onChange }}
        name="streams_free"
        label="Devices at once, Free"
        min={1}
        max={maxStreams}
        hint="How many devices of one account may play at the same time. A newer one pauses the oldest. Tabs of one browser are one device."
      />
      <NumberSetting
        {...{ form, onChange }}
        name="streams_premium"
        label="Devices at once, Premium"
        min={1}
        max={maxStreams}
      />
      <NumberSetting
        {...{ form, onChange }}
        name="news_mails_per_minute"
        label="News mails per minute"
        min={1}
        max={maxNewsMailsPerMinute}
        hint="Mails about releases and announcements. Many at once look like spam to other mail servers, above all from your own."
      />
      <Select
        label="Default disclosure"
        hint="How new uploads say they were made. Each track can say otherwise."
        options={disclosureOptions}
        value={form.default_ai_disclosure}
        onChange={({ target }) =>
          isAiDisclosure(target.value) && onChange({ default_ai_disclosure: target.value })
        }
      />
      <Select
        label="New music is for"
        hint="Music for everyone has a public page with its preview. Each track, release and playlist can differ."
        options={audienceOptions}
        value={form.default_audience}
        onChange={({ target }) =>
          isAudience(target.value) && onChange({ default_audience: target.value })
        }
      />
      <Switch
        label="Lyrics on public pages"
        hint="Anyone reads them there, search engines too"
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
            ? 'Admins need two-factor authentication to reach the back office. To turn this on, set it up on your own profile first.'
            : 'Admins need two-factor authentication to reach the back office'
        }
        checked={form.admins_need_two_factor}
        disabled={isOwnMissing && !form.admins_need_two_factor}
        onChange={(event) => onChange({ admins_need_two_factor: event.target.checked })}
      />
    </form>
  )
}
