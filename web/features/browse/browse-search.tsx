// The search box of Browse. The slash key focuses it from anywhere on the screen.
import { useEffect, useId } from 'react'
import { searchMaxLength } from '#contract/tracks.ts'
import { SearchField } from '../../base/ui/controls/search-field.tsx'
import styles from './browse-search.module.css'

export interface BrowseSearchProps {
  value: string
  onChange: (text: string) => void
  /** What the field searches. Used in its label. */
  what?: 'tracks' | 'artists' | 'releases'
}

export function BrowseSearch({ what = 'tracks', ...field }: BrowseSearchProps) {
  const id = useId()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const isTyping = target.matches('input, textarea, select, [contenteditable]')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      // An open dialog handles all keys.
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      document.getElementById(id)?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [id])
  return (
    <div className={styles.search}>
      <SearchField
        id={id}
        label={`Search ${what}`}
        placeholder={`Search ${what}...`}
        maxLength={searchMaxLength}
        aria-keyshortcuts="/"
        {...field}
      />
    </div>
  )
}
