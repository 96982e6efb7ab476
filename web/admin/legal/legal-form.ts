// Form state for a legal page.
import type { AdminLegalPage } from '#contract/admin/admin-legal.ts'
import { legalTemplates } from '#contract/legal-templates.ts'
import { footerPages, type FooterPage } from '#contract/legal.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'

export interface LegalForm {
  title: string
  draft: string
  is_shown: boolean
}

export const legalForm: VersionedFormKind<AdminLegalPage, LegalForm> = {
  what: 'this page',
  formOf: ({ title, draft, is_shown }) => ({ title, draft, is_shown }),
  labels: { title: 'Title', draft: 'Text', is_shown: 'Shown' },
}

/** The version number that marks a page which is not saved yet. */
const unsavedVersion = 0

export function isUnsavedPage({ version }: AdminLegalPage): boolean {
  return version === unsavedVersion
}

export function newPage(slug: string, title: string, draft = ''): AdminLegalPage {
  const page = { slug, title, draft, is_shown: true, versions: [], is_changed: true }
  return { ...page, version: unsavedVersion }
}

/**
 * Returns all pages, those linked in the footer first. A footer page that is not saved yet starts with its template.
 */
export function withTemplatePages(saved: readonly AdminLegalPage[]): AdminLegalPage[] {
  const standard = footerPages.map(
    (slug) => saved.find((page) => page.slug === slug) ?? fromTemplate(slug),
  )
  return [...standard, ...saved.filter(({ slug }) => !footerPages.some((one) => one === slug))]
}

function fromTemplate(slug: FooterPage): AdminLegalPage {
  const { title, text } = legalTemplates[slug]
  return newPage(slug, title, text)
}

/** Returns the state shown in the list of pages, such as 'Draft'. */
export function describePageState(page: AdminLegalPage): string {
  const [newest] = page.versions
  if (!newest) return isUnsavedPage(page) ? 'Not written' : 'Draft'
  if (!page.is_shown) return 'Hidden'
  return page.is_changed
    ? `Version ${newest.number}, unpublished changes`
    : `Version ${newest.number}`
}
