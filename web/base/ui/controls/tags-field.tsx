// A list of short tags: Enter or a comma adds one, Backspace in the empty box removes the last.
import { IconX } from '../icons/icons.ts'
import { useState, type KeyboardEvent } from 'react'
import control from './control.module.css'
import { Field, type FieldLook } from './field.tsx'
import styles from './tags-field.module.css'
import { VisuallyHidden } from '../layout/visually-hidden.tsx'

export interface TagsFieldProps extends FieldLook {
  value: readonly string[]
  onChange: (tags: string[]) => void
  placeholder?: string
  maxTags?: number
  maxLength?: number
}

export function TagsField(props: TagsFieldProps) {
  const { label, hideLabel, hint, error, value, onChange, placeholder, maxTags, maxLength } = props
  const [text, setText] = useState('')
  const [said, setSaid] = useState('')
  const isFull = maxTags !== undefined && value.length >= maxTags

  function add(words: string) {
    const wanted = words.split(',').map((word) => word.trim())
    const known = new Set(value.map((tag) => tag.toLowerCase()))
    const fresh = wanted.filter((tag) => tag !== '' && !known.has(tag.toLowerCase()))
    setText('')
    if (fresh.length === 0) return
    onChange([...value, ...new Set(fresh)].slice(0, maxTags))
    setSaid(`${fresh.join(', ')} added.`)
  }
  function remove(tag: string) {
    onChange(value.filter((other) => other !== tag))
    setSaid(`${tag} removed.`)
  }
  function keyDown(event: KeyboardEvent) {
    const last = value.at(-1)
    if (event.key === 'Enter' || event.key === ',') {
      // In an empty box, Enter submits the form.
      if (event.key === ',' || text.trim() !== '') event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '' && last !== undefined) {
      remove(last)
    }
  }

  return (
    <Field {...{ label, hideLabel, hint, error }}>
      {(field) => (
        <span className={`${control.control} ${styles.box}`}>
          {value.map((tag) => (
            <span key={tag} className={styles.tag}>
              {tag}
              <button
                type="button"
                className={styles.remove}
                aria-label={`Remove ${tag}`}
                onClick={() => remove(tag)}
              >
                <IconX aria-hidden="true" />
              </button>
            </span>
          ))}
          <input
            {...field}
            className={`${control.input} ${styles.input}`}
            value={text}
            placeholder={value.length === 0 ? placeholder : undefined}
            disabled={isFull}
            maxLength={maxLength}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
            onKeyDown={keyDown}
            onBlur={() => add(text)}
          />
          <VisuallyHidden role="status">{said}</VisuallyHidden>
        </span>
      )}
    </Field>
  )
}
