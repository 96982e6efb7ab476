// Selects one of very many options that the server searches while typing: arrows move, Enter selects, Escape closes the
// list. The typed text is a valid value too: an id can be pasted.
import { useId, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { OptionList } from './combobox.tsx'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'
import type { SelectOption } from './select.tsx'

export interface SearchComboboxProps extends FieldLook {
  /** The typed text, or the value of the selected option. */
  value: string
  onChange: (value: string) => void
  /** The search results for the typed text. */
  options: readonly SelectOption[]
  isSearching: boolean
  placeholder?: string
  required?: boolean
  ref?: Ref<HTMLInputElement>
}

export function SearchCombobox(props: SearchComboboxProps) {
  const { label, hideLabel, hint, error, value, onChange, options, isSearching, ref } = props
  const listId = useId()
  const box = useRef<HTMLSpanElement>(null)
  const [isWanted, setWanted] = useState(false)
  const [activeIndex, setActiveIndex] = useState(0)
  const isOpen = isWanted && value.trim() !== '' && (options.length > 0 || !isSearching)
  const active = isOpen ? options[activeIndex] : undefined

  function take(option: SelectOption | undefined) {
    if (option) onChange(option.value)
    setWanted(false)
  }
  function keyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (!isOpen) setWanted(true)
      else setActiveIndex((activeIndex + step + options.length) % Math.max(1, options.length))
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      take(active)
    } else if (event.key === 'Escape' && isOpen) {
      // Close only the list and not the surrounding dialog.
      event.preventDefault()
      event.stopPropagation()
      setWanted(false)
    }
  }

  return (
    <Field {...{ label, hideLabel, hint, error }}>
      {(field) => (
        <span ref={box} className={control.control}>
          <input
            {...field}
            ref={ref}
            className={control.input}
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            placeholder={props.placeholder}
            required={props.required}
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={active ? `${listId}-${activeIndex}` : undefined}
            value={value}
            onChange={(event) => {
              setWanted(true)
              setActiveIndex(0)
              onChange(event.target.value)
            }}
            onKeyDown={keyDown}
            onBlur={() => setWanted(false)}
          />
          {isOpen && (
            <OptionList
              id={listId}
              label={label}
              box={box}
              options={options}
              value={value}
              activeIndex={activeIndex}
              onTake={take}
            />
          )}
        </span>
      )}
    </Field>
  )
}
