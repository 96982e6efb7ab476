// Form fields for a list of links with labels.
import { IconPlus, IconX } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import styles from './link-fields.module.css'

export interface NamedLink {
  label: string
  url: string
}

export interface LinkFieldsProps {
  legend: string
  hint?: ReactNode
  links: readonly NamedLink[]
  max: number
  onChange: (links: NamedLink[]) => void
}

/** Returns true if the row has a label or a URL. Empty rows are left out of the request. */
export function isFilledLink({ label, url }: NamedLink): boolean {
  return label.trim() !== '' || url.trim() !== ''
}

export function LinkFields({ legend, hint, links, max, onChange }: LinkFieldsProps) {
  const set = (at: number, changes: Partial<NamedLink>) =>
    onChange(links.map((link, index) => (index === at ? { ...link, ...changes } : link)))
  return (
    <fieldset className={styles.links}>
      <legend className={styles.legend}>{legend}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      {links.map(({ label, url }, index) => (
        <div key={index} className={styles.link}>
          <TextField
            label="Label"
            maxLength={80}
            value={label}
            onChange={(event) => set(index, { label: event.target.value })}
          />
          <TextField
            label="Link"
            type="url"
            inputMode="url"
            placeholder="https://"
            maxLength={500}
            value={url}
            onChange={(event) => set(index, { url: event.target.value })}
          />
          <IconButton
            label={`Remove link ${index + 1}`}
            onClick={() => onChange(links.filter((_, at) => at !== index))}
          >
            <IconX />
          </IconButton>
        </div>
      ))}
      {links.length < max && (
        <div>
          <Button
            size="small"
            icon={<IconPlus />}
            onClick={() => onChange([...links, { label: '', url: '' }])}
          >
            Add link
          </Button>
        </div>
      )}
    </fieldset>
  )
}
