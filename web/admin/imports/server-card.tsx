// Card with the form that starts an import from another music server.
import { useId, useState, type FormEvent } from 'react'
import {
  importAddressMaxLength,
  importSecretMaxLength,
  startServerImport,
} from '#contract/admin/imports.ts'
import { IconServer } from '#web/base/ui/icons/icons.ts'
import { call } from '../../base/api/api.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { FormButtons } from '../../base/ui/overlays/form-buttons.tsx'
import { getServerReason, showFailure } from '../shared/admin-failure.ts'
import formStyles from '../shared/dialog-form.module.css'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'
import styles from './imports-screen.module.css'

export function ServerCard() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card
      title="Import from another server"
      description="Works with Navidrome, Gonic, another Velour or any server with the OpenSubsonic API. You select the songs first. Then this service downloads them as drafts."
    >
      <div className={styles.acts}>
        <Button icon={<IconServer />} onClick={() => setIsOpen(true)}>
          Connect Server
        </Button>
      </div>
      {isOpen && <ServerDialog onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

function ServerDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [isStarting, setIsStarting] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Connect Server"
      description="The account needs permission to download. Its credentials are stored encrypted, and deleted when the import ends."
      footer={<FormButtons form={formId} label="List Songs" busy={isStarting} onCancel={onClose} />}
    >
      <ServerForm formId={formId} onStartingChange={setIsStarting} onStarted={onClose} />
    </Dialog>
  )
}

type LoginKind = 'password' | 'api_key'
const loginKinds = [
  { value: 'password', label: 'User name and password' },
  { value: 'api_key', label: 'API key' },
]

interface ServerFields {
  address: string
  kind: LoginKind
  user: string
  secret: string
}
const emptyFields: ServerFields = { address: '', kind: 'password', user: '', secret: '' }

interface ServerFormProps {
  formId: string
  onStartingChange: (isStarting: boolean) => void
  onStarted: () => void
}

function ServerForm({ formId, onStartingChange, onStarted }: ServerFormProps) {
  const [fields, setFields] = useState(emptyFields)
  const { form, problems, showProblems } = useProblems<Record<keyof ServerFields, string>>()
  const starting = useAdminMutation({
    run: ({ address, kind, user, secret }: ServerFields) => {
      const login = kind === 'api_key' ? { api_key: secret } : { user, password: secret }
      return call(startServerImport, { body: { address: wholeAddress(address), login } })
    },
    onSavingChange: onStartingChange,
    refresh: ['imports'],
    onDone: onStarted,
    failed(error) {
      showProblems({ address: getServerReason(error) })
      showFailure(error, 'Failed to start the import')
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (starting.isPending) return
    const isKey = fields.kind === 'api_key'
    const hasProblem = showProblems({
      ...(fields.address.trim() === '' && { address: 'Please enter an address.' }),
      ...(!isKey && fields.user === '' && { user: 'Please enter the user name.' }),
      ...(fields.secret === '' && {
        secret: isKey ? 'Please enter the API key.' : 'Please enter the password.',
      }),
    })
    if (!hasProblem) starting.mutate(fields)
  }
  const isKey = fields.kind === 'api_key'
  return (
    <form ref={form} id={formId} className={formStyles.form} noValidate onSubmit={submit}>
      <TextField
        data-autofocus
        label="Address"
        type="url"
        inputMode="url"
        required
        placeholder="https://music.example.com"
        maxLength={importAddressMaxLength}
        spellCheck={false}
        value={fields.address}
        error={problems.address}
        onChange={({ target }) => setFields({ ...fields, address: target.value })}
      />
      <Select
        label="Sign in with"
        options={loginKinds}
        value={fields.kind}
        onChange={({ target }) =>
          setFields({ ...fields, kind: target.value as LoginKind, secret: '' })
        }
      />
      {!isKey && (
        <TextField
          label="User name"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={importSecretMaxLength}
          value={fields.user}
          error={problems.user}
          onChange={({ target }) => setFields({ ...fields, user: target.value })}
        />
      )}
      <PasswordField
        key={fields.kind}
        label={isKey ? 'API key' : 'Password'}
        secretName={isKey ? 'API key' : 'password'}
        required
        autoComplete="off"
        maxLength={importSecretMaxLength}
        value={fields.secret}
        error={problems.secret}
        onChange={({ target }) => setFields({ ...fields, secret: target.value })}
      />
    </form>
  )
}

const wholeAddress = (address: string) =>
  /^[a-z]+:\/\//i.test(address.trim()) ? address.trim() : `https://${address.trim()}`
