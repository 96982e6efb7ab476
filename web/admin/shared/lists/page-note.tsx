// Footer of a paginated table: the numbers of the visible rows, and the pagination.
import { Pagination } from '../../../base/ui/lists/pagination.tsx'

export interface PageNoteProps {
  label: string
  pagination: { page: number; page_size: number; total: number; total_pages: number }
  onChange: (page: number) => void
}

export function PageNote({ label, pagination, onChange }: PageNoteProps) {
  const { page, page_size, total, total_pages } = pagination
  const first = (page - 1) * page_size + 1
  const last = Math.min(page * page_size, total)
  return (
    <>
      <span>
        {first.toLocaleString('en')}–{last.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      <Pagination label={label} page={page} totalPages={total_pages} onChange={onChange} />
    </>
  )
}
