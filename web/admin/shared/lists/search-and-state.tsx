// Search box and state filter of a list. Both are stored in the URL.
import { Select } from '../../../base/ui/controls/select.tsx'
import { UrlSearch } from './url-search.tsx'
import type { UrlFilters } from './use-url-filters.ts'
import listBar from './list-bar.module.css'

export interface SearchAndStateProps<State extends string> {
  /** What the list contains, such as `gifts`. */
  what: string
  placeholder: string
  labels: Readonly<Record<State, string>>
  filters: Pick<UrlFilters<'q' | 'state'>, 'values' | 'change'>
}

export function SearchAndState<State extends string>(props: SearchAndStateProps<State>) {
  const { what, placeholder, labels, filters } = props
  const { q, state } = filters.values
  return (
    <div className={listBar.bar}>
      <div className={listBar.search}>
        <UrlSearch
          label={`Search ${what}`}
          placeholder={placeholder}
          value={q}
          onSearch={(typed) => filters.change({ q: typed }, { replace: true })}
        />
      </div>
      <Select
        label="State"
        hideLabel
        placeholder={`All ${what}`}
        options={Object.entries<string>(labels).map(([value, label]) => ({ value, label }))}
        value={state in labels ? state : ''}
        onChange={({ target }) => filters.change({ state: target.value })}
      />
    </div>
  )
}
