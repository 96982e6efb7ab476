// Lists the terms that a user accepts by creating an account. Renders nothing if there are none.
import { legalPath } from '#contract/legal.ts'
import { useSite } from '../../base/session/site.ts'
import styles from './auth-form.module.css'

export function SignUpTerms() {
  const { legal_pages } = useSite()
  const find = (slug: string) => legal_pages.find((page) => page.slug === slug)
  const terms = find('terms')
  const privacy = find('privacy')
  if (!terms) return null
  return (
    <p className={styles.terms}>
      By creating an account you agree to the{' '}
      <a href={legalPath('terms')} target="_blank" rel="noopener">
        {terms.title}
      </a>
      .
      {privacy && (
        <>
          {' '}
          The{' '}
          <a href={legalPath('privacy')} target="_blank" rel="noopener">
            {privacy.title}
          </a>{' '}
          says what is stored.
        </>
      )}
    </p>
  )
}
