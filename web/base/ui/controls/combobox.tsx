// Selects one of many options by typing: the list filters with every letter, arrows move, Enter selects, Escape cancels
// and keeps the previous selection.
import { IconSelector } from '../icons/icons.ts'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import styles from './combobox.module.css'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'
import { placeFloating } from '../layout/place-floating.ts'
import type { SelectOption } from './select.tsx'

export interface ComboboxProps extends FieldLook {
  options: readonly SelectOption[]
  /** Empty if nothing is selected. */
  value: string
  onChange: (value: string) => void
  placeholder?: string
  disabled?: boolean
}

const maxShown = 100

export function Combobox(props: ComboboxProps) {
  const { label, hideLabel, hint, error, options, value, onChange, placeholder, disabled } = props
  const listId = useId()
  const box = useRef<HTMLSpanElement>(null)
  /** The typed text; undefined while the list is closed. */
  const [query, setQuery] = useState<string>()
  const [activeIndex, setActiveIndex] = useState(0)
  const chosenIndex = options.findIndex((option) => option.value === value)
  const chosenLabel = options[chosenIndex]?.label ?? ''
  const isOpen = query !== undefined
  const found = isOpen ? matching(options, query === chosenLabel ? '' : query) : []
  const active = found[activeIndex]

  function open(text: string, index = 0) {
    setQuery(text)
    setActiveIndex(index)
  }
  function take(option: SelectOption | undefined) {
    if (option && !option.disabled) onChange(option.value)
    setQuery(undefined)
  }
  function keyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (isOpen) setActiveIndex((activeIndex + step + found.length) % Math.max(1, found.length))
      else open(chosenLabel, Math.max(0, chosenIndex))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      take(active)
    } else if (event.key === 'Escape' && isOpen) {
      // Close only the list and not the surrounding dialog.
      event.preventDefault()
      event.stopPropagation()
      setQuery(undefined)
    }
  }

  return (
    <Field {...{ label, hideLabel, hint, error }}>
      {(field) => (
        <span ref={box} className={control.control}>
          <input
            {...field}
            className={`${control.input} ${control.select}`}
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            disabled={disabled}
            aria-expanded={isOpen}
            aria-controls={isOpen ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={active ? `${listId}-${activeIndex}` : undefined}
            value={query ?? chosenLabel}
            onChange={(event) => open(event.target.value)}
            onClick={() => !isOpen && open(chosenLabel)}
            onKeyDown={keyDown}
            onBlur={() => setQuery(undefined)}
          />
          <span className={control.chevron} aria-hidden="true">
            <IconSelector />
          </span>
          {isOpen && (
            <OptionList
              id={listId}
              label={label}
              box={box}
              options={found}
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

interface OptionListProps {
  id: string
  label: string
  /** The element below which the list opens. */
  box: { current: HTMLElement | null }
  options: readonly SelectOption[]
  value: string
  activeIndex: number
  onTake: (option: SelectOption) => void
}

export function OptionList({
  id,
  label,
  box,
  options,
  value,
  activeIndex,
  onTake,
}: OptionListProps) {
  const list = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = list.current
    const anchor = box.current
    if (!element || !anchor) return
    element.style.minWidth = `${anchor.offsetWidth}px`
    element.showPopover?.()
    const place = () => placeFloating(anchor, element, { side: 'bottom', align: 'start' })
    place()
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('scroll', place, { signal, capture: true, passive: true })
    return () => listening.abort()
  }, [box, options.length])

  useLayoutEffect(() => {
    list.current?.children[activeIndex]?.scrollIntoView?.({ block: 'nearest' })
  }, [activeIndex])

  return (
    <div
      ref={list}
      id={id}
      className={styles.list}
      popover="manual"
      role="listbox"
      aria-label={label}
    >
      {options.map((option, index) => (
        <div
          key={option.value}
          id={`${id}-${index}`}
          className={styles.option}
          role="option"
          tabIndex={-1}
          aria-selected={option.value === value}
          aria-disabled={option.disabled}
          data-active={index === activeIndex || undefined}
          // Select on pointerdown: by the time of a click, the field has lost the focus and the list is closed.
          onPointerDown={(event) => {
            event.preventDefault()
            onTake(option)
          }}
        >
          {option.label}
        </div>
      ))}
      {options.length === 0 && (
        <div className={styles.empty} role="option" aria-selected="false" aria-disabled="true">
          Nothing found
        </div>
      )}
    </div>
  )
}

function matching(options: readonly SelectOption[], query: string): SelectOption[] {
  const wanted = query.trim().toLowerCase()
  return options.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, maxShown)
}
