// Creates an access token: asks for name, scopes and expiry, then shows the token.
import { useId, useState, type FormEvent } from 'react'
import { isStaff } from '#contract/access.ts'
import { tokenDefaultDays, type createAccessToken } from '#contract/access-tokens.ts'
import { keyNameMaxLength } from '#contract/device-keys.ts'
import type { Output } from '#contract/endpoint.ts'
import { tokenScopes, type TokenScope } from '#contract/token-scopes.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Checkbox } from '../../base/ui/controls/checkbox.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { CopiedFact } from './copied-fact.tsx'
import { formatDay } from './describe-use.ts'
import { useCreateAccessToken } from './key-queries.ts'
import styles from './keys.module.css'
import layout from '../../base/ui/layout/layout.module.css'

const scopeTexts: Record<TokenScope, string> = {
  read: 'Read: the catalogue, playlists, streams',
  library: 'Library: change playlists, likes and the profile',
  admin: 'Admin: the back office, except actions that require a password',
}

const staffText = 'Back office: what your role may do, except actions that require a password'

const expiryOptions = [
  { value: '30', label: '30 days' },
  { value: String(tokenDefaultDays), label: `${tokenDefaultDays} days` },
  { value: '365', label: 'One year' },
]
const dayMs = 24 * 3_600_000

export function NewTokenDialog({ role, onClose }: { role: string; onClose: () => void }) {
  const formId = useId()
  const creating = useCreateAccessToken()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<TokenScope[]>(['read'])
  const [days, setDays] = useState(String(tokenDefaultDays))
  const [problem, setProblem] = useState<'name' | 'scopes'>()

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = name.trim() === '' ? 'name' : scopes.length === 0 ? 'scopes' : undefined
    setProblem(found)
    if (found || creating.isPending) return
    const expires_at = new Date(Date.now() + Number(days) * dayMs).toISOString()
    creating.mutate({ name, scopes, expires_at })
  }

  if (creating.data) return <NewToken made={creating.data} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title="New access token"
      description="For programs that call the API for you."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" busy={creating.isPending}>
            Create Token
          </Button>
        </>
      }
    >
      <form id={formId} className={layout.stack4} onSubmit={submit} noValidate>
        <TextField
          label="Name"
          maxLength={keyNameMaxLength}
          value={name}
          error={problem === 'name' ? 'Please enter a name.' : undefined}
          onChange={({ target }) => setName(target.value)}
        />
        <ScopeBoxes
          role={role}
          isMissing={problem === 'scopes'}
          scopes={scopes}
          onChange={setScopes}
        />
        <Select
          label="Expires after"
          options={expiryOptions}
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
      </form>
    </Dialog>
  )
}

interface ScopeBoxesProps {
  role: string
  isMissing: boolean
  scopes: TokenScope[]
  onChange: (scopes: TokenScope[]) => void
}

function ScopeBoxes({ role, isMissing, scopes, onChange }: ScopeBoxesProps) {
  return (
    <fieldset className={styles.scopes}>
      <legend className={styles.legend}>Permissions</legend>
      {tokenScopes
        .filter((scope) => scope !== 'admin' || isStaff(role))
        .map((scope) => (
          <Checkbox
            key={scope}
            label={scope === 'admin' && role !== 'admin' ? staffText : scopeTexts[scope]}
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              onChange(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
            }
          />
        ))}
      {isMissing && <p role="alert">Choose at least one.</p>}
    </fieldset>
  )
}

interface NewTokenProps {
  made: Output<typeof createAccessToken>['data']
  onClose: () => void
}

/** Shows the new token, which can't be shown again later. */
function NewToken({ made: { name, token, expires_at }, onClose }: NewTokenProps) {
  return (
    <Dialog
      open
      title={`Token ${name}`}
      footer={
        <Button variant="primary" onClick={onClose}>
          I Have Saved It
        </Button>
      }
    >
      <dl className={styles.facts}>
        <CopiedFact name="Token" value={token} />
      </dl>
      <p className={styles.hint}>
        It is shown only once and is valid until {formatDay(expires_at)}. Send it in the header
        “Authorization: Bearer”.
      </p>
    </Dialog>
  )
}
