// Creates a device key: asks for a name, then shows the key.
import { useId, useState, type FormEvent } from 'react'
import { keyNameMaxLength } from '#contract/device-keys.ts'
import { isPremium } from '#contract/plans.ts'
import { useSession } from '../../base/session/session.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Switch } from '../../base/ui/controls/switch.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { useCreateDeviceKey } from './key-queries.ts'
import { NewDeviceKey } from './new-device-key.tsx'
import layout from '../../base/ui/layout/layout.module.css'

export function NewDeviceKeyDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const creating = useCreateDeviceKey()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isFeed, setIsFeed] = useState(false)
  const { user } = useSession()
  const mayHaveFeed = user !== null && user !== undefined && isPremium(user.subscription_status)

  function submit(event: FormEvent) {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() !== '' && !creating.isPending)
      creating.mutate({ name, ...(isFeed && { purpose: 'feed' }) })
  }

  if (creating.data) {
    return (
      <Dialog
        open
        title={`Key for ${creating.data.name}`}
        size="large"
        footer={
          <Button variant="primary" onClick={onClose}>
            I Have Entered It
          </Button>
        }
      >
        <NewDeviceKey made={creating.data} />
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Connect an app"
      description="Each app gets its own key, which you can revoke separately."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={creating.isPending}>
            Create Key
          </Button>
        </>
      }
    >
      <form id={formId} className={layout.stack4} onSubmit={submit} noValidate>
        <TextField
          label="Name"
          hint="Such as “Symfonium on my phone”."
          maxLength={keyNameMaxLength}
          value={name}
          error={isMissing ? 'Please enter a name.' : undefined}
          onChange={({ target }) => {
            setName(target.value)
            setMissing(false)
          }}
        />
        {mayHaveFeed && (
          <Switch
            label="For a podcast app"
            hint="A private feed of all music, with full songs."
            checked={isFeed}
            onChange={({ target }) => setIsFeed(target.checked)}
          />
        )}
      </form>
    </Dialog>
  )
}
