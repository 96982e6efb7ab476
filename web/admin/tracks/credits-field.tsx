// The credits in the form of a track: artists with their roles, in order.
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconPlus,
  IconX,
} from '#web/base/ui/icons/icons.ts'
import { useRef } from 'react'
import {
  creditRoleLabels,
  creditRoles,
  maxCredits,
  getDefaultJoiner,
  lineRoles,
  type CreditRole,
} from '#contract/fields/artist-credits.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Select } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { ArtistField } from '../track-data/artist-field.tsx'
import type { CreditForm } from './credits-form.ts'
import styles from './credits-field.module.css'

const roleOptions = creditRoles.map((value) => ({ value, label: creditRoleLabels[value] }))

export interface CreditsFieldProps {
  credits: readonly CreditForm[]
  onChange: (credits: CreditForm[]) => void
}

export function CreditsField({ credits, onChange }: CreditsFieldProps) {
  const list = useRef<HTMLOListElement>(null)
  const focusRow = (at: number) =>
    requestAnimationFrame(() => list.current?.children[at]?.querySelector('input')?.focus())
  const set = (at: number, changes: Partial<CreditForm>) =>
    onChange(credits.map((credit, index) => (index === at ? { ...credit, ...changes } : credit)))
  function move(at: number, by: -1 | 1) {
    const next = credits.filter((_, index) => index !== at)
    next.splice(at + by, 0, credits[at]!)
    onChange(next)
  }
  function add() {
    const role = credits.some((credit) => credit.role === 'main') ? 'featured' : 'main'
    onChange([...credits, { name: '', role, credited_as: '', joiner: '' }])
    focusRow(credits.length)
  }
  return (
    <details className={styles.credits} open={credits.length > 1 || undefined}>
      <summary className={styles.summary}>
        Artist credits
        <span className={styles.count}>{formatCount(credits.length, 'credit', 'credits')}</span>
        <IconChevronDown aria-hidden="true" />
      </summary>
      <p className={styles.hint}>
        Main and featured artists form the artist line. A new name creates a new artist.
      </p>
      <ol ref={list} className={styles.list}>
        {credits.map((credit, index) => (
          <CreditRow
            key={index}
            number={index + 1}
            credit={credit}
            next={findNextInLine(credits, index)}
            onChange={(changes) => set(index, changes)}
            onUp={index > 0 ? () => move(index, -1) : undefined}
            onDown={index < credits.length - 1 ? () => move(index, 1) : undefined}
            onRemove={
              credits.length > 1
                ? () => {
                    onChange(credits.filter((_, at) => at !== index))
                    focusRow(Math.max(0, index - 1))
                  }
                : undefined
            }
          />
        ))}
      </ol>
      {credits.length < maxCredits && (
        <Button size="small" icon={<IconPlus />} onClick={add}>
          Add Credit
        </Button>
      )}
    </details>
  )
}

/** Returns the role of the next credit that is in the artist line. The joiner between the two depends on it. */
function findNextInLine(credits: readonly CreditForm[], at: number): CreditRole | undefined {
  if (!lineRoles.includes(credits[at]!.role)) return undefined
  return credits.slice(at + 1).find(({ role }) => lineRoles.includes(role))?.role
}

interface CreditRowProps {
  number: number
  credit: CreditForm
  next: CreditRole | undefined
  onChange: (changes: Partial<CreditForm>) => void
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onRemove: (() => void) | undefined
}

function CreditRow({ number, credit, next, onChange, onUp, onDown, onRemove }: CreditRowProps) {
  const { name, role, credited_as, joiner } = credit
  const what = name || `credit ${number}`
  return (
    <li className={styles.row}>
      <ArtistField label="Name" value={name} onChange={(value) => onChange({ name: value })} />
      <Select
        label="Role"
        options={roleOptions}
        value={role}
        onChange={({ target }) => {
          const chosen = creditRoles.find((known) => known === target.value)
          if (chosen) onChange({ role: chosen })
        }}
      />
      <TextField
        label="Credited as"
        placeholder={name}
        maxLength={200}
        value={credited_as}
        onChange={(event) => onChange({ credited_as: event.target.value })}
      />
      <TextField
        label="Joined by"
        placeholder={next ? getDefaultJoiner(role, next) : ''}
        disabled={!next}
        maxLength={20}
        value={joiner}
        onChange={(event) => onChange({ joiner: event.target.value })}
      />
      <span className={styles.buttons}>
        <IconButton label={`Move ${what} up`} disabled={!onUp} onClick={onUp}>
          <IconArrowUp />
        </IconButton>
        <IconButton label={`Move ${what} down`} disabled={!onDown} onClick={onDown}>
          <IconArrowDown />
        </IconButton>
        <IconButton label={`Remove ${what}`} disabled={!onRemove} onClick={onRemove}>
          <IconX />
        </IconButton>
      </span>
    </li>
  )
}
