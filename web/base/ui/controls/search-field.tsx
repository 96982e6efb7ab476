// A search box: reports every change, Escape clears it, and Enter runs the optional `onSearch`.
import { IconSearch, IconX } from '../icons/icons.ts'
import { useRef, type ComponentProps, type KeyboardEvent } from 'react'
import control from './control.module.css'
import { Field } from './field.tsx'
import { IconButton } from './icon-button.tsx'

export interface SearchFieldProps extends Omit<
  ComponentProps<'input'>,
  'className' | 'type' | 'value' | 'onChange' | 'ref'
> {
  /** Accessible name. The placeholder is the visible text. */
  label: string
  value: string
  onChange: (value: string) => void
  /** Called on Enter. */
  onSearch?: (value: string) => void
  /** False if the screen has its own search: a page should have only one search landmark. */
  isLandmark?: boolean
}

export function SearchField({
  label,
  value,
  onChange,
  onSearch,
  id,
  isLandmark = true,
  ...input
}: SearchFieldProps) {
  const box = useRef<HTMLInputElement>(null)

  function keyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter') onSearch?.(value)
    if (event.key === 'Escape' && value) {
      // Clear the text before Escape closes the surrounding dialog.
      event.preventDefault()
      event.stopPropagation()
      onChange('')
    }
  }

  return (
    <Field label={label} hideLabel id={id}>
      {(field) => (
        <span
          role={isLandmark ? 'search' : undefined}
          className={`${control.control} ${control.round}`}
        >
          <span className={control.lead} aria-hidden="true">
            <IconSearch />
          </span>
          <input
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            {...input}
            {...field}
            ref={box}
            className={control.input}
            type="text"
            inputMode="search"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={keyDown}
          />
          {value && (
            <IconButton
              label="Clear search"
              onClick={() => {
                onChange('')
                box.current?.focus()
              }}
            >
              <IconX />
            </IconButton>
          )}
        </span>
      )}
    </Field>
  )
}
