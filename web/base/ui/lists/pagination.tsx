// Previous, up to five page numbers around the current one, next. Renders nothing for a single page.
import { IconChevronLeft, IconChevronRight } from '../icons/icons.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { pageWindow } from './page-window.ts'
import styles from './pagination.module.css'

export interface PaginationProps {
  /** Accessible name of the paginated list: 'Users', 'Audit log'. */
  label: string
  /** Starts at 1. */
  page: number
  totalPages: number
  onChange: (page: number) => void
}

export function Pagination({ label, page, totalPages, onChange }: PaginationProps) {
  if (totalPages <= 1) return null
  return (
    <nav className={styles.pagination} aria-label={`${label} pages`}>
      <IconButton label="Previous page" disabled={page <= 1} onClick={() => onChange(page - 1)}>
        <IconChevronLeft />
      </IconButton>
      {pageWindow(page, totalPages).map((number) => (
        <button
          key={number}
          type="button"
          className={styles.page}
          aria-label={`Page ${number}`}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => onChange(number)}
        >
          {number}
        </button>
      ))}
      <IconButton
        label="Next page"
        disabled={page >= totalPages}
        onClick={() => onChange(page + 1)}
      >
        <IconChevronRight />
      </IconButton>
    </nav>
  )
}
