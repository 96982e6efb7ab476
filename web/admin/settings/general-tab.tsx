// General settings: preview length, devices per account, disclosure, maintenance mode, two-factor for admins.
import type { FormEvent } from 'react'
import { maxNewsMailsPerMinute, maxStreams } from '#contract/admin/admin-settings.ts'
import { isAudience } from '#contract/fields/availability.ts'
import { useSession } from '../../base/session/session.ts'
import { Select } from '../../base/ui/controls/select.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { audienceOptions } from '../availability/availability-fields.tsx'
import { disclosureOptions, isAiDisclosure } from '../tracks/track-form.ts'
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
      <TextField
        label="Preview Length (seconds)"
        type="number"
        inputMode="numeric"
        min={1}
        max={600}
        hint="A new length cuts all previews again, in the background."
        value={form.preview_length_seconds}
        onChange={(event) => onChange({ preview_length_seconds: event.target.value })}
      />
      <PreviewProgress />
      <Limits form={form} onChange={onChange} />
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

function Limits({ form, onChange }: Pick<SettingsTabProps, 'form' | 'onChange'>) {
  return (
    <>
      <TextField
        label="Devices at once, Free"
        type="number"
        inputMode="numeric"
        min={1}
        max={maxStreams}
        hint="How many devices of one account may play at the same time. A newer one pauses the oldest. Tabs of one browser are one device."
        value={form.streams_free}
        onChange={(event) => onChange({ streams_free: event.target.value })}
      />
      <TextField
        label="Devices at once, Premium"
        type="number"
        inputMode="numeric"
        min={1}
        max={maxStreams}
        value={form.streams_premium}
        onChange={(event) => onChange({ streams_premium: event.target.value })}
      />
      <TextField
        label="News mails per minute"
        type="number"
        inputMode="numeric"
        min={1}
        max={maxNewsMailsPerMinute}
        hint="Mails about releases and announcements. Many at once look like spam to other mail servers, above all from your own."
        value={form.news_mails_per_minute}
        onChange={(event) => onChange({ news_mails_per_minute: event.target.value })}
      />
    </>
  )
}
