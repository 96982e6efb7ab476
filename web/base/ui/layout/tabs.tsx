// Tabs. Arrows move between the tabs and show their panel.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import styles from './tabs.module.css'

export interface Tab {
  id: string
  label: string
  panel: ReactNode
}

export interface TabsProps {
  /** Accessible name of the tab list. */
  label: string
  tabs: readonly Tab[]
  /** Id of the selected tab. If absent, the component stores the selection itself and starts with the first tab. */
  value?: string
  onChange?: (id: string) => void
  /** Content beside the tabs. */
  end?: ReactNode
}

export function Tabs({ label, tabs, value, onChange, end }: TabsProps) {
  const baseId = useId()
  const row = useRef<HTMLDivElement>(null)
  const [ownValue, setOwnValue] = useState(tabs[0]?.id)
  const chosen = tabs.find((tab) => tab.id === (value ?? ownValue)) ?? tabs[0]

  // Scroll only the tab list to the selected tab, not the page.
  const chosenId = chosen?.id
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-selected="true"]')
    if (!row.current || !tab) return
    const { offsetLeft, offsetWidth } = tab
    row.current.scrollLeft = offsetLeft - (row.current.clientWidth - offsetWidth) / 2
  }, [chosenId])

  function choose(id: string) {
    setOwnValue(id)
    onChange?.(id)
  }
  function keyDown(event: KeyboardEvent) {
    const current = tabs.findIndex((tab) => tab.id === chosen?.id)
    const target = {
      ArrowRight: (current + 1) % tabs.length,
      ArrowLeft: (current - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const tab = target === undefined ? undefined : tabs[target]
    if (!tab) return
    event.preventDefault()
    choose(tab.id)
    row.current?.querySelectorAll<HTMLElement>('[role="tab"]')[target ?? 0]?.focus()
  }

  return (
    <div>
      <div className={styles.head}>
        <div ref={row} className={styles.row} role="tablist" aria-label={label} onKeyDown={keyDown}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              id={`${baseId}-${tab.id}`}
              className={styles.tab}
              role="tab"
              aria-selected={tab.id === chosen?.id}
              aria-controls={tab.id === chosen?.id ? `${baseId}-panel` : undefined}
              tabIndex={tab.id === chosen?.id ? 0 : -1}
              onClick={() => choose(tab.id)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {end}
      </div>
      {chosen && (
        <div
          key={chosen.id}
          id={`${baseId}-panel`}
          className={styles.panel}
          role="tabpanel"
          tabIndex={0}
          aria-labelledby={`${baseId}-${chosen.id}`}
        >
          {chosen.panel}
        </div>
      )}
    </div>
  )
}
