// Account Information: picture, name, the fixed email address, and a password reset by email.
import { IconKey } from '#web/base/ui/icons/icons.ts'
import type { FormEvent } from 'react'
import { displayNameMaxLength } from '#contract/auth.ts'
import type { Profile } from '#contract/profiles.ts'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { showError } from '../../base/api/show-error.ts'
import { useFormDraft } from '../../base/forms/use-form-draft.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import styles from './account-card.module.css'
import { AvatarPicker } from './avatar-picker.tsx'
import { useResetPassword, useUpdateProfile } from './profile-queries.ts'
import layout from '../../base/ui/layout/layout.module.css'
import textStyles from '../../base/ui/layout/text.module.css'

export function AccountCard({ profile }: { profile: Profile }) {
  const resetting = useResetPassword(profile.email)
  return (
    <Card title="Account Information">
      <div className={layout.stack6}>
        <AvatarPicker profile={profile} />
        <NameForm name={profile.display_name} />
        <div className={styles.email}>
          <TextField
            label="Email"
            type="email"
            value={profile.email}
            readOnly
            hint="The address that you sign in with. It cannot be changed."
          />
        </div>
        <div className={styles.row}>
          <div>
            <p className={styles.label}>Password</p>
            <p className={textStyles.faintSmall}>We email you a link to choose a new one.</p>
          </div>
          <Button icon={<IconKey />} busy={resetting.isPending} onClick={() => resetting.mutate()}>
            Reset Password
          </Button>
        </div>
      </div>
    </Card>
  )
}

function NameForm({ name }: { name: string }) {
  const draft = useFormDraft({ key: 'profile-name', what: 'your name', saved: { name } })
  const updating = useUpdateProfile()
  const isChanged = draft.form.name.trim() !== name

  function save(event: FormEvent) {
    event.preventDefault()
    if (updating.isPending || !isChanged) return
    updating.mutate(
      { display_name: draft.form.name },
      {
        onSuccess({ display_name }) {
          draft.setForm({ name: display_name })
          draft.saved()
          showToast({ tone: 'success', title: 'Name updated' })
        },
        onError: (error) => showError(error),
      },
    )
  }

  return (
    <>
      <RestoredNote isShown={draft.isRestored} onDiscard={draft.discard} />
      <form className={styles.name} onSubmit={save}>
        <TextField
          label="Display name"
          name="name"
          autoComplete="name"
          maxLength={displayNameMaxLength}
          value={draft.form.name}
          onChange={({ target }) => draft.setForm({ name: target.value })}
        />
        <Button type="submit" disabled={!isChanged} busy={updating.isPending}>
          Save Name
        </Button>
      </form>
    </>
  )
}
