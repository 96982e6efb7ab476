// Field to choose the user of a manual subscription, by email address, name or pasted user ID.
import { useQuery } from '@tanstack/react-query'
import { getPerson } from '#contract/admin/admin-people.ts'
import { listUsers } from '#contract/admin/admin-users.ts'
import { call } from '../../base/api/api.ts'
import { SearchCombobox } from '../../base/ui/controls/search-combobox.tsx'
import { useSettled } from '../../base/ui/layout/use-settled.ts'
import { isUserId } from './subscription-form.ts'

const debounceMs = 200
const shownPeople = 8

export interface PersonFieldProps {
  /** The chosen user ID, or the text typed so far. */
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export function PersonField({ value, onChange, error }: PersonFieldProps) {
  const typed = value.trim()
  const isId = isUserId(typed)
  const searchText = useSettled(typed, debounceMs)
  const found = useQuery({
    queryKey: ['admin', 'users', 'search', searchText],
    queryFn: ({ signal }) =>
      call(listUsers, { query: { q: searchText, page_size: shownPeople } }, { signal }),
    enabled: searchText !== '' && !isUserId(searchText),
  })
  const person = useQuery({
    queryKey: ['admin', 'users', 'person', typed, 'person'],
    queryFn: ({ signal }) => call(getPerson, { params: { id: typed } }, { signal }),
    enabled: isId,
    retry: false,
  })
  const options = isId
    ? []
    : (found.data?.data ?? []).map(({ id, email, display_name }) => ({
        value: id,
        label: display_name ? `${display_name}, ${email}` : email,
      }))
  return (
    <SearchCombobox
      label="User ID"
      required
      placeholder="Email, name or user ID"
      hint={describeUser(isId, person)}
      value={value}
      error={error}
      options={options}
      isSearching={isId || searchText !== typed || found.isPending}
      onChange={onChange}
    />
  )
}

function describeUser(
  isId: boolean,
  { data, error }: { data: { display_name: string; email: string } | undefined; error: unknown },
): string {
  if (!isId) return 'Type an email or a name and select the person, or paste a user ID.'
  if (data) return data.display_name ? `${data.display_name}, ${data.email}` : data.email
  return error ? 'No user has this ID.' : 'Looking up this user ID…'
}
