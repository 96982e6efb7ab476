// A search box. Shortly after the last key press, its text is written to the URL.
import { useEffect, useEffectEvent, useState } from 'react'
import { SearchField } from '../../../base/ui/controls/search-field.tsx'

const debounceMs = 220

export interface UrlSearchProps {
  label: string
  placeholder: string
  /** The search text in the URL. */
  value: string
  onSearch: (value: string) => void
}

export function UrlSearch({ label, placeholder, value, onSearch }: UrlSearchProps) {
  const [text, setText] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  // The URL changed for another reason, such as the Back button or a cleared filter. Show its search text.
  if (value !== lastValue) {
    setLastValue(value)
    if (value !== text.trim()) setText(value)
  }
  const search = (typed: string) => typed !== value && onSearch(typed)
  const settle = useEffectEvent(search)
  useEffect(() => {
    const timer = setTimeout(() => settle(text.trim()), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <SearchField
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={200}
      onChange={setText}
      onSearch={(typed) => search(typed.trim())}
    />
  )
}
